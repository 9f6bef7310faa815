// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Coming from PromiseKit": what is written instead of a chain of promises.

import AsyncBridge
import AsyncBridgeFutures
import Dispatch

@MainActor
final class Screen {
    let api: API
    let spinner = Spinner()

    init(api: API) { self.api = api }

    // snippet.CHAIN
    func showImage() async {
        self.spinner.start()
        defer { self.spinner.stop() }
        do {
            let user = try await self.api.login()
            self.show(try await self.api.image(of: user))
        } catch is CancellationError {
            // The screen was closed.
        } catch {
            self.show(error)
        }
    }
    // snippet.end

    func show(_ image: Image) { print("shows \(image.name)") }

    func show(_ error: any Error) { print("shows \(error)") }
}

extension API {
    // snippet.SEAL
    func login() async throws -> User {
        try await withCallback { callback in
            self.login(completion: callback.handler())
        }
    }
    // snippet.end
}

func several(api: API, user: User) async throws {
    // snippet.WHEN
    async let image = api.image(of: user)
    async let friends = api.friends(of: user)
    show(try await image, try await friends)
    // snippet.end
}

func many(api: API, users: [User]) async throws {
    // snippet.ALL
    let images = try await CoFuture.all(users.map { user in CoFuture { try await api.image(of: user) } }).value
    // snippet.end
    print(images.map(\.name))
}

func settled(api: API, users: [User]) async throws {
    // snippet.SETTLED
    let results = try await CoFuture.settled(users.map { user in CoFuture { try await api.image(of: user) } }).value
    // snippet.end
    print(results.map { (try? $0.get())?.name ?? "none" })
}

func timed(api: API) async throws {
    // snippet.TIMEOUT
    let user: User = try await withCallback(timeout: .seconds(5)) { callback in
        api.login(completion: callback.handler())
    }
    // snippet.end
    print(user.name)
}

// snippet.WITHIN
func within<Value: Sendable>(
    _ limit: Duration,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let future = CoFuture { try await body() }
    defer { future.cancel() }
    return try await future.value(timeout: limit)
}
// snippet.end

// snippet.RETRY
nonisolated(nonsending) func attempt<Value>(
    _ most: Int,
    pause: Duration,
    _ body: nonisolated(nonsending) () async throws -> Value
) async throws -> Value {
    for _ in 1..<most {
        do { return try await body() } catch is CancellationError { throw CancellationError() } catch {}
        try await Task.sleep(for: pause)
    }
    return try await body()
}
// snippet.end

// snippet.PUBLIC
extension API {
    /// For callers that want an object: to keep it, to wait for it several times, to cancel it.
    func image(named name: String) -> CoFuture<Image> {
        CoFuture { try await self.image(of: User(name: name)) }
    }
}
// snippet.end

func chain(api: API) async throws {
    // snippet.FUTURES
    let title =
        api.image(named: "Ovid")
        .map { "\($0.name), by heart" }
        .recover { _ in "nobody" }
    title.whenComplete { _ in print("ensured") }
    print(try await title.value)
    // snippet.end
}

// snippet.PROMISE
extension Promise where T: Sendable {
    /// Waits for the promise; a cancelled task returns at once.
    func value(
        timeout: BridgeTimeout? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line
    ) async throws -> T {
        try await withCallback(timeout: timeout, fileID: fileID, line: line) { callback in
            self.done { callback.resume(returning: $0) }
                .catch(policy: .allErrors) { error in
                    callback.resume(throwing: error.isCancelled ? CancellationError() : error)
                }
        }
    }
}
// snippet.end

// snippet.OFFER
extension API {
    func imagePromise(of user: User) -> Promise<Image> {
        Promise { seal in
            callAsync {
                try await self.image(of: user)
            } completion: { result in
                switch result {
                case .success(let image): seal.fulfill(image)
                case .failure(is CancellationError): seal.reject(PMKError.cancelled)
                case .failure(let error): seal.reject(error)
                }
            }
        }
    }
}
// snippet.end

await Screen(api: API()).showImage()
try await several(api: API(), user: User(name: "Ovid"))
try await many(api: API(), users: [User(name: "Ovid"), User(name: "Seneca")])
try await settled(api: API(), users: [User(name: "Ovid"), User(name: "")])
try await timed(api: API())
print(try await attempt(3, pause: .milliseconds(1)) { try await API().image(of: User(name: "Ovid")) }.name)
try await chain(api: API())
print(try await Promise<Int>(result: .success(42)).value())
print(try await API().imagePromise(of: User(name: "Ovid")).value(timeout: .seconds(60)).name)
print(try await within(.seconds(60)) { try await API().image(of: User(name: "Seneca")) }.name)
do {
    print(try await Promise<Int>(result: .failure(PMKError.cancelled)).value())
} catch is CancellationError {
    print("cancelled")
}

// snippet.hide
// MARK: - Stand-ins

struct User: Sendable {
    let name: String
}

struct Image: Sendable {
    let name: String
}

struct NoImage: Error {}

struct API: Sendable {
    func login(completion: @escaping @Sendable (User?, (any Error)?) -> Void) {
        DispatchQueue.global().async { completion(User(name: "Aristotle"), nil) }
    }

    func image(of user: User) async throws -> Image {
        guard !user.name.isEmpty else { throw NoImage() }
        return Image(name: "image of \(user.name)")
    }

    func friends(of user: User) async throws -> [User] { [User(name: "Seneca")] }
}

@MainActor
final class Spinner {
    func start() { print("spins") }
    func stop() { print("stops") }
}

func show(_ image: Image, _ friends: [User]) { print("\(image.name), friend of \(friends.map(\.name))") }

/// As much of PromiseKit's promise as the bridges need, with the same names.
final class Promise<T: Sendable>: Sendable {
    enum Policy { case allErrors }

    struct Rest {
        let outcome: CoFuture<T>

        func `catch`(policy: Policy, _ body: @escaping @Sendable (any Error) -> Void) {
            self.outcome.whenFailure(body)
        }
    }

    struct Seal: Sendable {
        let outcome: CoPromise<T>

        func fulfill(_ value: T) { self.outcome.success(value) }
        func reject(_ error: any Error) { self.outcome.fail(error) }
    }

    private let outcome = CoPromise<T>()

    init(_ resolve: (Seal) -> Void) { resolve(Seal(outcome: self.outcome)) }

    convenience init(result: Result<T, any Error>) {
        self.init { seal in
            switch result {
            case .success(let value): seal.fulfill(value)
            case .failure(let error): seal.reject(error)
            }
        }
    }

    func done(_ body: @escaping @Sendable (T) -> Void) -> Rest {
        self.outcome.future.whenSuccess(body)
        return Rest(outcome: self.outcome.future)
    }
}

enum PMKError: Error {
    case cancelled
}

extension Error {
    /// PromiseKit's knows more of them.
    var isCancelled: Bool { self as? PMKError == .cancelled }
}
