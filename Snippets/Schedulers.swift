// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Where coroutines run".

import Coroutines
import Dispatch
import Synchronization

func cancelled() async {
    // snippet.HANDLE
    let coroutine = DispatchQueue.global().startCoroutine { try refresh() }
    coroutine.cancel()
    await coroutine.finished()
    // snippet.end
}

func onAQueue(client: QuoteClient, id: String) -> CoroutineHandle {
    // snippet.QUEUE
    DispatchQueue.global().startCoroutine {
        let quote = try Coroutine.await { try await client.quote(id: id) }
        try DispatchQueue.main.await { print(quote) }
    }
    // snippet.end
}

func queueOnThePool() -> DispatchQueue {
    // snippet.POOL
    let queue = DispatchQueue(label: "prices", target: .global())
    // snippet.end
    return queue
}

func thumbnail(of image: Image) -> CoroutineHandle {
    // snippet.THERE
    DispatchQueue.main.startCoroutine {
        let thumbnail = try DispatchQueue.global().await { image.thumbnail() }
        show(thumbnail)
    }
    // snippet.end
}

func thumbnail(of image: CoFuture<Image>) -> CoroutineHandle {
    // snippet.THEREWAITING
    DispatchQueue.main.startCoroutine {
        let thumbnail = try DispatchQueue.global().await { try image.await().thumbnail() }
        show(thumbnail)
    }
    // snippet.end
}

func immediately() -> CoroutineHandle {
    // snippet.IMMEDIATE
    ImmediateScheduler().startCoroutine {
        print("before startCoroutine returns")
        try Coroutine.delay(.milliseconds(100))
        print("on the thread that ended the wait")
    }
    // snippet.end
}

@MainActor
func onTheMainActor(label: Label, client: QuoteClient, id: String) -> CoroutineHandle {
    // snippet.MAINACTOR
    MainActor.startCoroutine(onError: { label.text = "\($0)" }) {
        label.text = try Coroutine.await { try await client.quote(id: id) }
    }
    // snippet.end
}

func tasks(importer: Importer) async {
    // snippet.TASKS
    let executor = SchedulerTaskExecutor(DispatchQueue(label: "import"))
    await withTaskExecutorPreference(executor) { await importer.run() }
    // snippet.end
}

func besideAnActor(database: Database, server: Server) -> CoroutineHandle {
    // snippet.ACTOR
    SerialExecutorScheduler(database.executor).startCoroutine {
        let rows = try Coroutine.await { try await server.rows() }
        database.assumeIsolated { $0.insert(rows) }
    }
    // snippet.end
}

// snippet.EXECUTOR
extension DatabaseExecutor: CoroutineScheduler {}
// snippet.end

// snippet.WORKLIST
final class WorkList: CoroutineScheduler, Sendable {
    private let queue = DispatchQueue(label: "work")

    func scheduleTask(_ task: @escaping @Sendable () -> Void) { self.queue.async(execute: task) }
}
// snippet.end

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

// snippet.CANCELLABLE
final class Download: CoCancellable {
    private let task: Task<Void, Never>

    init(_ url: String) { self.task = Task { await fetch(url) } }

    func cancel() { self.task.cancel() }

    func whenComplete(_ callback: @escaping @Sendable () -> Void) {
        Task { [task] in
            await task.value
            callback()
        }
    }
}
// snippet.end

func download(url: String, in scope: CoScope) -> Download {
    // snippet.ADD
    let download = Download(url).added(to: scope)
    // snippet.end
    return download
}

func errors(queue: DispatchQueue, logger: Logger) -> CoroutineHandle {
    // snippet.ERRORS
    queue.startCoroutine(onError: { logger.error("\($0)") }) { try refresh() }
    // snippet.end
}

func uncaught() {
    // snippet.UNCAUGHT
    BridgeDiagnostics.uncaughtErrorHandler = { error, started in
        print("\(error), in the coroutine started at \(started)")
    }
    // snippet.end
}

await cancelled()

await onAQueue(client: .shared, id: "1").finished()

await thumbnail(of: Image(name: "large")).finished()
precondition(Screen.images.withLock { $0 } == ["small"])

await immediately().finished()

let label = Label()
await onTheMainActor(label: label, client: .shared, id: "2").finished()
precondition(label.text == "quote 2")

let importer = Importer()
await tasks(importer: importer)
let hasRun = await importer.hasRun
precondition(hasRun)

let database = Database()
await besideAnActor(database: database, server: Server()).finished()
let rows = await database.rows
precondition(rows == [1, 2, 3])

let databaseExecutor = DatabaseExecutor()
await databaseExecutor.startCoroutine { dispatchPrecondition(condition: .onQueue(databaseExecutor.queue)) }.finished()

await WorkList().startCoroutine { try Coroutine.yield() }.finished()

let screen = QuoteScreen()
screen.appear()
screen.disappear()

let scope = CoScope()
let pending = download(url: "never ends", in: scope)
precondition(!scope.isEmpty)
scope.cancel()
await withCheckedContinuation { ended in pending.whenComplete { ended.resume() } }

let logger = Logger()
await errors(queue: .global(), logger: logger).finished()
precondition(logger.errors.withLock { $0.count } == 1)

uncaught()
await DispatchQueue.global().startCoroutine { try refresh() }.finished()

// snippet.hide
// MARK: - Stand-ins

struct RefreshError: Error {}

func refresh() throws { throw RefreshError() }

struct QuoteClient: Sendable {
    static let shared = QuoteClient()

    func quote(id: String) async throws -> String { "quote \(id)" }
}

struct Image: Sendable {
    let name: String

    func thumbnail() -> Image { Image(name: "small") }
}

enum Screen {
    static let images = Mutex<[String]>([])
}

func show(_ image: Image) { Screen.images.withLock { $0.append(image.name) } }

@MainActor
final class Label {
    var text = ""
}

actor Importer {
    private(set) var hasRun = false

    func run() { self.hasRun = true }
}

struct Server: Sendable {
    func rows() async throws -> [Int] { [1, 2, 3] }
}

final class DatabaseExecutor: TaskExecutor, SerialExecutor {
    let queue = DispatchQueue(label: "database")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

actor Database {
    nonisolated let executor = DatabaseExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { self.executor.asUnownedSerialExecutor() }

    private(set) var rows: [Int] = []

    func insert(_ rows: [Int]) { self.rows += rows }
}

func fetch(_ url: String) async { try? await Task.sleep(for: .seconds(3600)) }

final class Logger: Sendable {
    let errors = Mutex<[String]>([])

    func error(_ message: String) { self.errors.withLock { $0.append(message) } }
}
