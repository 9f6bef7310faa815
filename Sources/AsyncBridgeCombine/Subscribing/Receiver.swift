// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
public import OpenCombineShim

/// A subscriber that may be called on any thread, one signal at a time.
///
/// Safe: Combine's subscribers expect no thread, and subscriptions that hold one ensure that signals do not overlap.
@usableFromInline
package struct Receiver<Input, Failure: Error>: @unchecked Sendable {
    // Erased, because a closure that a task runs may not know a type whose conformance could belong to an actor.
    @usableFromInline package let subscriber: AnySubscriber<Input, Failure>

    @inlinable
    package init<Downstream: Subscriber>(_ subscriber: Downstream)
    where Downstream.Input == Input, Downstream.Failure == Failure {
        self.subscriber = AnySubscriber(subscriber)
    }
}
#endif
