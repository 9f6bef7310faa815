// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Coming from RxSwift": what is written instead of observables, subjects and dispose bags.

import AsyncBridge
import AsyncBridgeFutures
import Dispatch

// snippet.CREATE
func fixes(_ receiver: Receiver) -> CallbackSequence<Location, any Error> {
    CallbackSequence { sink in
        let watch = receiver.watch(onFix: sink.handler(), onEnd: { sink.finish() })
        return { watch.stop() }
    }
}
// snippet.end

// snippet.SINGLE
func name(of location: Location, _ geocoder: Geocoder) async throws -> String {
    try await withCallback(timeout: .seconds(5)) { callback in
        geocoder.look(up: location, completion: callback.handler())
    } onCancel: { request in
        request.cancel()
    }
}
// snippet.end

func chain(receiver: Receiver, geocoder: Geocoder) async throws {
    // snippet.CHAIN
    var last: String?
    for try await fix in fixes(receiver) where fix.accuracy < 100 {
        let name = try await name(of: fix, geocoder)
        if name == last { continue }
        last = name
        show(name)
    }
    // snippet.end
}

// snippet.LATEST
/// Handles the newest element only: the work for the one before is cancelled when the next one comes, and its error is
/// dropped.
func forLatest<Element: Sendable>(
    of elements: some AsyncSequence<Element, any Error>,
    _ body: @escaping @Sendable (Element) async throws -> Void
) async throws {
    var current: Task<Void, any Error>?
    defer { current?.cancel() }
    for try await element in elements {
        current?.cancel()
        current = Task { try await body(element) }
    }
    guard let current else { return }
    try await withTaskCancellationHandler {
        try await current.value
    } onCancel: {
        current.cancel()
    }
}
// snippet.end

// snippet.SUBJECT
@MainActor
final class Session {
    /// A behaviour subject: each subscriber gets the current element first.
    private let states = CoBroadcast(of: State.self, current: .signedOut)

    var state: State { self.states.current ?? .signedOut }

    func updates() -> CoChannel<State>.Receiver { self.states.subscribe(buffering: .newest(capacity: 1)) }

    func signIn() { self.states.offer(.signedIn) }

    func end() { self.states.close() }
}
// snippet.end

// snippet.BAG
@MainActor
final class Screen {
    private let session: Session
    private var tasks: [Task<Void, any Error>] = []
    private(set) var text = ""

    init(session: Session) { self.session = session }

    func appear() {
        let updates = self.session.updates()
        self.tasks.append(Task { for try await state in updates { self.text = "\(state)" } })
    }

    func disappear() {
        for task in self.tasks { task.cancel() }
        self.tasks = []
    }
}
// snippet.end

func shared(receiver: Receiver) async throws {
    // snippet.SHARE
    let shared = fixes(receiver).share(buffering: .newest(capacity: 1))
    // snippet.end
    for try await _ in shared {
        print("shared")
        break
    }
}

// snippet.OBSERVABLE
extension Observable where Element: Sendable {
    /// The elements as a sequence; leaving its loop disposes of the subscription.
    func elements(buffering: BufferingPolicy) -> CallbackSequence<Element, any Error> {
        CallbackSequence(buffering: buffering) { sink in
            let subscription = self.subscribe(
                onNext: sink.handler(),
                onError: sink.errorHandler(),
                onCompleted: { sink.finish() }
            )
            return { subscription.dispose() }
        }
    }
}
// snippet.end

@MainActor
func watchSession() async throws {
    let session = Session()
    let screen = Screen(session: session)
    screen.appear()
    session.signIn()
    while screen.text != "signedIn" { await Task.yield() }
    print("\(screen.text), \(session.state)")
    screen.disappear()
    session.end()
}

try await chain(receiver: Receiver(), geocoder: Geocoder())
try await forLatest(of: fixes(Receiver())) { fix in
    if fix.accuracy == 10 { print("the newest: \(fix.accuracy)") }
}
try await watchSession()
try await shared(receiver: Receiver())
for try await number in Observable(elements: [1, 2]).elements(buffering: .unbounded) { print(number) }

// snippet.hide
// MARK: - Stand-ins

struct Location: Sendable {
    let accuracy: Int
}

enum State: Sendable { case signedOut, signedIn }

struct Watch: Sendable {
    func stop() {}
}

struct Receiver: Sendable {
    func watch(
        onFix: @escaping @Sendable (Location) -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) -> Watch {
        for accuracy in [500, 50, 40, 10] { onFix(Location(accuracy: accuracy)) }
        onEnd()
        return Watch()
    }
}

struct Geocoder: Sendable {
    struct Request: Sendable {
        func cancel() {}
    }

    func look(up location: Location, completion: @escaping @Sendable (String?, (any Error)?) -> Void) -> Request {
        DispatchQueue.global().async { completion(location.accuracy < 45 ? "Main Street" : "Vienna", nil) }
        return Request()
    }
}

func show(_ name: String) { print(name) }

/// As much of RxSwift's observable as the bridge needs, with the same names.
struct Observable<Element: Sendable>: Sendable {
    struct Subscription: Sendable {
        func dispose() {}
    }

    let elements: [Element]

    func subscribe(
        onNext: (@Sendable (Element) -> Void)? = nil,
        onError: (@Sendable (any Error) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil
    ) -> Subscription {
        for element in self.elements { onNext?(element) }
        onCompleted?()
        return Subscription()
    }
}
