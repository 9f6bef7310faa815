// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// Where a mapped receiver gets its elements from.
///
/// The code for each element is in closures, made where `map` is called, so that they are specialised there; a
/// subclass's methods are not.
///
/// Safe: its subclass has constant properties of Sendable types.
@usableFromInline
class ReceiverSource<Element>: @unchecked Sendable {
    @usableFromInline typealias Next = nonisolated(nonsending) @Sendable () async throws -> sending Element?
    @usableFromInline typealias Await = @Sendable (ParkerReference?, ChannelSuspension) throws -> sending Element
    @usableFromInline typealias Callback = @Sendable (sending Result<Element, any Error>) -> Void

    @usableFromInline final let awaitReceive: Await
    @usableFromInline final let receiveNext: Next
    @usableFromInline final let poll: @Sendable () -> sending Element?
    @usableFromInline final let whenReceive: @Sendable (AnyCoFuture?, @escaping Callback) -> ChannelCallback?
    /// Gets an element that was received, and that nobody gets, where it is still what was sent: that of a future
    /// which is released unread, or of an iterator whose coroutine is unwound.
    @usableFromInline final let giveBack: (@Sendable (sending Element) -> Void)?

    @usableFromInline
    init(
        giveBack: (@Sendable (sending Element) -> Void)?,
        awaitReceive: @escaping Await,
        receiveNext: @escaping Next,
        poll: @escaping @Sendable () -> sending Element?,
        whenReceive: @escaping @Sendable (AnyCoFuture?, @escaping Callback) -> ChannelCallback?
    ) {
        self.giveBack = giveBack
        self.awaitReceive = awaitReceive
        self.receiveNext = receiveNext
        self.poll = poll
        self.whenReceive = whenReceive
    }

    var buffering: BufferingPolicy { self.missing() }
    var count: Int { self.missing() }
    var made: CallSite { self.missing() }
    var end: ChannelEnd? { self.missing() }
    func cancel() { self.missing() }
    func whenCancelled(_ callback: @escaping @Sendable () -> Void) { self.missing() }
    func whenFinished(_ callback: @escaping @Sendable ((any Error)?) -> Void) { self.missing() }
    func selectBranch<Output>(_ then: @escaping (Result<Element, any Error>) throws -> Output) -> SelectBranch<Output> {
        self.missing()
    }

    private func missing() -> Never { preconditionFailure("BUG: abstract method not overridden") }
}

/// Receives another receiver's elements as a closure transforms them.
///
/// Safe: its properties are constant and Sendable.
@usableFromInline
final class MappedSource<Input, Output>: ReceiverSource<Output>, @unchecked Sendable {
    private let source: CoChannel<Input>.Receiver
    private let transform: @Sendable (sending Input) -> sending Output

    @inlinable
    convenience init(
        _ source: CoChannel<Input>.Receiver,
        _ transform: @escaping @Sendable (sending Input) -> sending Output,
        givingBack giveBack: (@Sendable (sending Output) -> Void)? = nil
    ) {
        self.init(
            source,
            transform,
            giveBack: giveBack,
            awaitReceive: { transform(try source.awaitReceive(as: $0, $1)) },
            receiveNext: {
                guard let element = try await source.receiveNext() else { return nil }
                return transform(element)
            },
            poll: {
                guard let element = source.poll() else { return nil }
                return transform(element)
            },
            whenReceive: { future, callback in
                source.whenReceive(for: future) { result in
                    switch result {
                    case .success(let element): callback(.success(transform(element)))
                    case .failure(let error): callback(.failure(error))
                    }
                }
            }
        )
    }

    @usableFromInline
    init(
        _ source: CoChannel<Input>.Receiver,
        _ transform: @escaping @Sendable (sending Input) -> sending Output,
        giveBack: (@Sendable (sending Output) -> Void)?,
        awaitReceive: @escaping Await,
        receiveNext: @escaping Next,
        poll: @escaping @Sendable () -> sending Output?,
        whenReceive: @escaping @Sendable (AnyCoFuture?, @escaping Callback) -> ChannelCallback?
    ) {
        self.source = source
        self.transform = transform
        super.init(
            giveBack: giveBack,
            awaitReceive: awaitReceive,
            receiveNext: receiveNext,
            poll: poll,
            whenReceive: whenReceive
        )
    }

    override var buffering: BufferingPolicy { self.source.buffering }
    override var count: Int { self.source.count }
    override var made: CallSite { self.source.made }
    override var end: ChannelEnd? { self.source.end }
    override func cancel() { self.source.cancel() }
    override func whenCancelled(_ callback: @escaping @Sendable () -> Void) { self.source.whenCancelled(callback) }
    override func whenFinished(_ callback: @escaping @Sendable ((any Error)?) -> Void) {
        self.source.whenFinished(callback)
    }
    override func selectBranch<NewOutput>(
        _ then: @escaping (Result<Output, any Error>) throws -> NewOutput
    ) -> SelectBranch<NewOutput> {
        self.source.selectBranch { [transform] result in
            // Safe: the selection has received the element, and no other code has it.
            try then(result.map { transform(Disconnected(unchecked: $0).take()) })
        }
    }
}
