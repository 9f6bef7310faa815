// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
public import AsyncBridge
public import OpenCombineShim

/// Hands on what a publisher sends, and counts it.
///
/// Publishers call it through its conformance, which the compiler cannot specialise for a type of elements. So what
/// depends on that type is in the closures, which are made in the user's module: without them an element costs several
/// times as much, most of it for looking up types.
@usableFromInline
final class ElementSubscriber<Input, Failure: Error>: Subscriber, Sendable {
    private let window: DemandWindow
    private let bridge: StaticString
    private let made: CallSite
    private let onElement: @Sendable (Input) -> Void
    private let onCompletion: @Sendable (Subscribers.Completion<Failure>) -> Void
    private let onDrop: @Sendable () -> Void

    @usableFromInline
    init(
        _ window: DemandWindow,
        bridge: StaticString,
        made: CallSite,
        onElement: @escaping @Sendable (Input) -> Void,
        onCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
        onDrop: @escaping @Sendable () -> Void
    ) {
        self.window = window
        self.bridge = bridge
        self.made = made
        self.onElement = onElement
        self.onCompletion = onCompletion
        self.onDrop = onDrop
    }

    deinit {
        // A publisher that is cancelled releases its subscriber, and that is no fault.
        guard !self.window.upstream.isOver else { return }
        // Reported before the consumer runs again, so that code that gets the fault finds the report.
        _ = DroppedSubscriber.report(self.bridge, made: self.made)
        self.onDrop()
    }

    @usableFromInline
    func receive(subscription: any Subscription) { self.window.upstream.receive(subscription) }

    @usableFromInline
    func receive(_ input: Input) -> Subscribers.Demand {
        if self.window.receiveOne() { self.reportUnrequested() }
        self.onElement(input)
        return .none
    }

    @usableFromInline
    func receive(completion: Subscribers.Completion<Failure>) {
        self.window.upstream.complete()
        self.onCompletion(completion)
    }

    private func reportUnrequested() {
        BridgeDiagnostics.report(
            BridgeDiagnostics.Misuse(
                kind: .unrequestedElements,
                bridge: "\(self.bridge)",
                made: self.made,
                advice: """
                    The publisher has sent more elements than were requested. None is lost; the iterator's \
                    unrequestedCount has their number. Correct the publisher, or use .unbounded if it cannot wait.
                    """
            )
        )
    }
}
#endif
