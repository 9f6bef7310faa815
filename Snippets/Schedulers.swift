// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Where do my coroutines run".

import AsyncBridge
import Coroutines
import Dispatch
import Synchronization

// MARK: - Queues

func refresh(_ refresh: @escaping @Sendable () throws -> Void) {
    // snippet.HANDLE
    let coroutine = DispatchQueue.global().startCoroutine { try refresh() }
    coroutine.cancel()
    // snippet.end
}

func thumbnail(of image: Image, show: @escaping @Sendable (String) -> Void) {
    // snippet.THUMBNAIL
    DispatchQueue.main.startCoroutine {
        let thumbnail = try DispatchQueue.global().await { image.thumbnail() }
        show(thumbnail)
    }
    // snippet.end
}

func immediate() {
    // snippet.IMMEDIATE
    ImmediateScheduler().startCoroutine {
        print("before startCoroutine returns")
        try Coroutine.delay(.seconds(1))
        print("on some thread of Swift's pool")
    }
    // snippet.end
}

// MARK: - Actors and executors

@MainActor
func show(in label: Label, client: QuoteClient, id: String) {
    // snippet.MAIN
    MainActor.startCoroutine(onError: { label.text = "\($0)" }) {
        label.text = try Coroutine.await { try await client.quote(id: id) }
    }
    // snippet.end
}

func serve(database: Database, server: Server) {
    // snippet.SERIAL
    SerialExecutorScheduler(database.executor).startCoroutine {
        let rows = try Coroutine.await { try await server.rows() }
        database.assumeIsolated { $0.insert(rows) }
    }
    // snippet.end
}

// snippet.TASK_EXECUTOR
extension DatabaseExecutor: CoroutineScheduler {}
// snippet.end

func run(importer: Importer) async {
    // snippet.EXECUTOR
    let executor = SchedulerTaskExecutor(DispatchQueue(label: "import"))
    await withTaskExecutorPreference(executor) { await importer.run() }
    // snippet.end
}

// MARK: - Scopes

// snippet.SCREEN
final class QuoteScreen: Sendable {
    private let scope = CoScope()

    func appear() {
        DispatchQueue.main.startCoroutine(in: self.scope) { [weak self] in
            let quote = try Coroutine.await { try await QuoteClient.shared.quote(id: "1") }
            self?.show(quote)
        }
    }

    func disappear() { self.scope.cancel() }

    func show(_ quote: String) { print(quote) }
}
// snippet.end

// snippet.DOWNLOAD
final class Download: CoCancellable {
    private let task: Task<Void, Never>

    init(_ url: String) { self.task = Task { await download(url) } }

    func cancel() { self.task.cancel() }

    func whenComplete(_ callback: @escaping @Sendable () -> Void) {
        Task { [task] in
            await task.value
            callback()
        }
    }
}
// snippet.end

func add(_ url: String, to scope: CoScope) async throws {
    // snippet.ADDED
    let download = Download(url).added(to: scope)
    // snippet.end
    scope.cancel()
    try await withCallback(of: Void.self) { callback in download.whenComplete { callback.resume() } }
    precondition(scope.isEmpty)
}

refresh {}
immediate()
await run(importer: Importer())
try await add("a", to: CoScope())
show(in: Label(), client: .shared, id: "1")
let screen = QuoteScreen()
screen.appear()
screen.disappear()

let database = Database()
serve(database: database, server: Server())
while await database.rows.isEmpty { await Task.yield() }

// MARK: - Stand-ins

struct Image: Sendable {
    func thumbnail() -> String { "small" }
}

@MainActor
final class Label {
    var text = ""
}

final class QuoteClient: Sendable {
    static let shared = QuoteClient()

    func quote(id: String) async throws -> String { "quote \(id)" }
}

struct Server: Sendable {
    func rows() async throws -> [String] { ["row"] }
}

final class DatabaseExecutor: TaskExecutor, SerialExecutor {
    private let queue = DispatchQueue(label: "database")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

actor Database {
    nonisolated let executor = DatabaseExecutor()
    private(set) var rows: [String] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { self.executor.asUnownedSerialExecutor() }

    func insert(_ rows: [String]) { self.rows += rows }
}

struct Importer: Sendable {
    func run() async {}
}

func download(_ url: String) async {}
