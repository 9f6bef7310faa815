// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// An old API that calls back again and again, played by the law suite.
///
/// A bridge under test gets one, starts it, and makes an `AsyncSequence` of its elements. The scenario decides what the
/// source does, and when: it sends elements in time, too many, none, or after the end; it finishes, fails, or forgets
/// its closures.
///
/// Its elements are negative, too, and as large as an `Int` holds. A bridge of a type that holds less, such as a
/// `Float` or an `Int32`, keeps the number in another field of that type, so that it is not rounded.
///
/// Isolation: may be used on any thread.
public final class SequenceSource: Sendable {
    let core: SequenceSourceCore
    private let token: LifetimeTracker.Token

    init(_ core: SequenceSourceCore) {
        self.core = core
        self.token = core.token("the source")
    }

    /// Starts the source.
    ///
    /// - Parameters:
    ///   - onElement: Called with each element.
    ///   - onCompletion: Called at the end: with the error, or with `nil` if there was none.
    /// - Returns: A handle that stops the source.
    public func start(
        onElement: @escaping @Sendable (Int) -> Void,
        onCompletion: @escaping @Sendable ((any Error)?) -> Void
    ) -> SourceHandle {
        self.core.start(SequenceSourceCore.Handlers(onElement: onElement, onCompletion: onCompletion))
        return self.makeHandle()
    }

    /// Starts the source, or throws: for bridges of an API whose start can fail.
    ///
    /// Where ``start(onElement:onCompletion:)`` would immediately call `onCompletion` with an error, this throws the
    /// error. Then there is nothing to stop, but the closures are still kept: a wait for them never ends.
    ///
    /// - Parameters:
    ///   - onElement: Called with each element.
    ///   - onCompletion: Called at the end: with the error, or with `nil` if there was none.
    /// - Returns: A handle that stops the source.
    /// - Throws: The error, if the source could not be started. An error after that is not thrown.
    public func startThrowing(
        onElement: @escaping @Sendable (Int) -> Void,
        onCompletion: @escaping @Sendable ((any Error)?) -> Void
    ) throws -> SourceHandle {
        let handlers = SequenceSourceCore.Handlers(onElement: onElement, onCompletion: onCompletion)
        if let refusal = self.core.startThrowing(handlers) { throw refusal }
        return self.makeHandle()
    }

    private func makeHandle() -> SourceHandle {
        SourceHandle(
            token: self.core.token("the source's handle"),
            cancel: { [core] in core.cancel() },
            release: { [core] in core.releaseHandle() }
        )
    }

    /// Asks the source to send nothing more until ``resume()``: for bridges with back-pressure.
    ///
    /// Both may be called again: a source that is paused stays paused, and one that goes on goes on. Neither may be
    /// called once the source was stopped: ``SourceHandle/cancel()`` is its last call.
    ///
    /// Isolation: runs the scenario's action in this call, which may wait until the consumer has taken the available
    /// elements. The source is paused when this returns.
    public func pause() { self.core.pause() }

    /// Lets a paused source continue.
    ///
    /// Isolation: runs the scenario's action in this call, which may wait until an element is sent.
    public func resume() { self.core.resume() }

    /// Takes back an element that was not consumed: for bridges that promise to hand it back.
    ///
    /// - Parameter element: The element.
    public func takeBack(_ element: Int) { self.core.takeBack(element) }

    /// Tells the suite that elements were dropped: for bridges that promise to count what they drop.
    ///
    /// - Parameter count: How many.
    public func noteDropped(_ count: Int = 1) { self.core.noteDropped(count) }
}
