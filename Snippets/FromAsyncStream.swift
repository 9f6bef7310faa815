// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Coming from AsyncStream": what a source was before, and what it is now.

import AsyncBridge

struct Before {
    let receiver: Receiver

    // snippet.BEFORE
    var locations: AsyncThrowingStream<Location, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let watch = self.receiver.watch(
                onFix: { continuation.yield($0) },
                onError: { continuation.finish(throwing: $0) }
            )
            continuation.onTermination = { _ in watch.stop() }
        }
    }
    // snippet.end
}

struct After {
    let receiver: Receiver

    // snippet.AFTER
    var locations: CallbackSequence<Location, any Error> {
        CallbackSequence(buffering: .newest(capacity: 1)) { sink in
            let watch = self.receiver.watch(onFix: sink.handler(), onError: sink.errorHandler())
            return { watch.stop() }
        }
    }
    // snippet.end
}

// snippet.HOTBEFORE
final class FeedBefore: ReceiverDelegate {
    let locations: AsyncStream<Location>
    private let continuation: AsyncStream<Location>.Continuation

    init(receiver: Receiver) {
        (self.locations, self.continuation) = AsyncStream.makeStream()
        self.continuation.onTermination = { _ in receiver.stop() }
        receiver.start(delegate: self)
    }

    func receiver(_ receiver: Receiver, didFix location: Location) { self.continuation.yield(location) }
}
// snippet.end

// snippet.HOTAFTER
final class FeedAfter: ReceiverDelegate {
    let locations: CallbackSequence<Location, Never>
    private let sink: CallbackSequence<Location, Never>.Sink

    init(receiver: Receiver) {
        (self.locations, self.sink) = CallbackSequence.makeSequence()
        self.sink.onTermination { _ in receiver.stop() }
        receiver.start(delegate: self)
    }

    func receiver(_ receiver: Receiver, didFix location: Location) { self.sink.yield(location) }
}
// snippet.end

func run() async throws {
    let receiver = Receiver()
    do {
        for try await location in Before(receiver: receiver).locations { show("before: \(location.latitude)") }
    } catch {
        show("before: \(error)")
    }
    do {
        for try await location in After(receiver: receiver).locations { show("after: \(location.latitude)") }
    } catch {
        show("after: \(error)")
    }

    print("when the source starts:")
    let stream = AsyncStream<Int> { continuation in
        print("before: where the stream is made")
        continuation.finish()
    }
    let sequence = CallbackSequence<Int, Never> { sink in
        print("after: where a loop begins")
        sink.finish()
        return {}
    }
    print("both are made")
    for await number in sequence { print(number) }
    for await number in stream { print(number) }

    print("a loop that is left:")
    let before = FeedBefore(receiver: Receiver(name: "before"))
    for await _ in before.locations { break }
    let after = FeedAfter(receiver: Receiver(name: "after"))
    for await _ in after.locations { break }

    print("a second loop at the same time:")
    let (numbers, sink) = CallbackSequence<Int, any Error>.makeSequence()
    var first = numbers.makeAsyncIterator()
    sink.yield(1)
    do {
        for try await number in numbers { print(number) }
    } catch let fault as BridgeFault {
        print(fault.code)
    }
    print("the first one got \(try await first.next() ?? 0)")

    print("the source goes away:")
    do {
        for try await number in withoutSource() { print(number) }
    } catch let fault as BridgeFault {
        print(fault.code)
    }
}

func withoutSource() -> CallbackSequence<Int, any Error> { CallbackSequence.makeSequence().sequence }

BridgeDiagnostics.policy = .ignore
try await run()

// snippet.hide
// MARK: - Stand-ins

struct Location: Sendable {
    let latitude: Double
    let longitude: Double
}

protocol ReceiverDelegate: AnyObject, Sendable {
    func receiver(_ receiver: Receiver, didFix location: Location)
}

struct ReceptionLost: Error {}

final class Receiver: Sendable {
    final class Watch: Sendable {
        func stop() {}
    }

    private let vienna = Location(latitude: 48.2, longitude: 16.4)
    private let name: String

    init(name: String = "") { self.name = name }

    func watch(
        onFix: @escaping @Sendable (Location) -> Void,
        onError: @escaping @Sendable (any Error) -> Void
    ) -> Watch {
        Task {
            onFix(self.vienna)
            onError(ReceptionLost())
        }
        return Watch()
    }

    func start(delegate: any ReceiverDelegate) { delegate.receiver(self, didFix: self.vienna) }

    func stop() { print("\(self.name): stopped") }
}

func show(_ text: String) { print(text) }
