// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

extension SelectBranch {
    /// Receives an element.
    ///
    /// On a channel that has ended, this branch is possible at once: `select` then throws its error.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - then: Gets the element.
    /// - Returns: The branch.
    @inlinable
    public static func receive<Element>(
        from channel: CoChannel<Element>,
        then: @escaping (sending Element) throws -> Output
    ) -> SelectBranch {
        SelectBranch(receivingFrom: channel.storage, keeping: channel, then)
    }

    /// Receives an element, or the error of a channel that has ended.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - then: Gets the element, or the error with which the channel has ended.
    /// - Returns: The branch.
    @inlinable
    public static func result<Element>(
        from channel: CoChannel<Element>,
        then: @escaping (Result<Element, any Error>) throws -> Output
    ) -> SelectBranch {
        SelectBranch(resultFrom: channel.storage, keeping: channel, then)
    }

    /// Receives an element.
    ///
    /// On a channel that has ended, this branch is possible at once: `select` then throws its error.
    ///
    /// - Parameters:
    ///   - receiver: The channel's half.
    ///   - then: Gets the element.
    /// - Returns: The branch.
    @inlinable
    public static func receive<Element>(
        from receiver: CoChannel<Element>.Receiver,
        then: @escaping (sending Element) throws -> Output
    ) -> SelectBranch {
        if let storage = receiver.storage {
            return SelectBranch(receivingFrom: storage, keeping: receiver, then)
        }
        // Safe: the selection has received the element, and no other code has it.
        return receiver.selectBranch { try then(Disconnected(unchecked: SelectSourceFailure.value(of: $0)).take()) }
    }

    /// Receives an element, or the error of a channel that has ended.
    ///
    /// - Parameters:
    ///   - receiver: The channel's half.
    ///   - then: Gets the element, or the error with which the channel has ended.
    /// - Returns: The branch.
    @inlinable
    public static func result<Element>(
        from receiver: CoChannel<Element>.Receiver,
        then: @escaping (Result<Element, any Error>) throws -> Output
    ) -> SelectBranch {
        if let storage = receiver.storage { return SelectBranch(resultFrom: storage, keeping: receiver, then) }
        return receiver.selectBranch(then)
    }

    /// Sends an element.
    ///
    /// On a channel that has ended, this branch is possible at once: `select` then throws its error.
    ///
    /// If `select` throws and none of its closures did, as when it is cancelled, or a channel has ended or a future
    /// failed, no branch has happened: the element goes to the channel's `onUndelivered`, as with `send`. So does that
    /// of a branch that is released and was never used. If another branch happens, the element is released, and does
    /// not go there: a caller that still holds it, because it is `Sendable`, may send it in the next selection, by a
    /// new branch. A branch that is used a second time ends the process.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - channel: The channel.
    ///   - then: Called when it has been sent.
    /// - Returns: The branch.
    @inlinable
    public static func send<Element>(
        _ element: sending Element,
        to channel: CoChannel<Element>,
        then: @escaping () throws -> Output
    ) -> SelectBranch {
        SelectBranch(sending: Disconnected(unchecked: element), to: channel.storage, keeping: channel, then)
    }

    /// Sends an element.
    ///
    /// On a channel that has ended, this branch is possible at once: `select` then throws its error.
    ///
    /// If `select` throws and none of its closures did, as when it is cancelled, or a channel has ended or a future
    /// failed, no branch has happened: the element goes to the channel's `onUndelivered`, as with `send`. So does that
    /// of a branch that is released and was never used. If another branch happens, the element is released, and does
    /// not go there: a caller that still holds it, because it is `Sendable`, may send it in the next selection, by a
    /// new branch. A branch that is used a second time ends the process.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - sender: The channel's half.
    ///   - then: Called when it has been sent.
    /// - Returns: The branch.
    @inlinable
    public static func send<Element>(
        _ element: sending Element,
        to sender: CoChannel<Element>.Sender,
        then: @escaping () throws -> Output
    ) -> SelectBranch {
        SelectBranch(sending: Disconnected(unchecked: element), to: sender.storage, keeping: sender, then)
    }
}

// MARK: - The branches themselves

// The closures of a branch capture nothing: see `AnySelectBranch`.

extension SelectBranch {
    /// Receives an element, or throws the error of the end.
    @inlinable
    init<Element>(
        receivingFrom storage: ChannelStorage<Element>,
        keeping handle: AnyObject,
        _ then: @escaping (sending Element) throws -> Output
    ) {
        self.init(
            AnySelectBranch(
                at: storage,
                keeping: handle,
                .erasing(ElementHandler(then)),
                slot: Disconnected<Element>.self,
                operate: { $1.selectable(as: ChannelStorage<Element>.self).answerReceive($0, $2) },
                run: { branch, waiter, output in
                    let storage = branch.selectable(as: ChannelStorage<Element>.self)
                    switch storage.selected(waiter) {
                    case .element(let element):
                        output.store(try branch.handler(as: ElementHandler<Element, Output>.self).call(element.take()))
                        return true
                    case .ended(let end): throw SelectSourceFailure(storage.error(for: end))
                    case .refused, .cancelled: return false
                    }
                }
            )
        )
    }

    /// Receives an element, or the error of the end.
    @inlinable
    init<Element>(
        resultFrom storage: ChannelStorage<Element>,
        keeping handle: AnyObject,
        _ then: @escaping (Result<Element, any Error>) throws -> Output
    ) {
        self.init(
            AnySelectBranch(
                at: storage,
                keeping: handle,
                .erasing(ValueHandler(then)),
                slot: Disconnected<Element>.self,
                operate: { $1.selectable(as: ChannelStorage<Element>.self).answerReceive($0, $2) },
                run: { branch, waiter, output in
                    let storage = branch.selectable(as: ChannelStorage<Element>.self)
                    let result: Result<Element, any Error>
                    switch storage.selected(waiter) {
                    case .element(let element): result = .success(element.take())
                    case .ended(let end): result = .failure(storage.error(for: end))
                    case .refused, .cancelled: return false
                    }
                    output.store(
                        try branch.handler(as: ValueHandler<Result<Element, any Error>, Output>.self).call(result)
                    )
                    return true
                }
            )
        )
    }

    /// Sends an element.
    @inlinable
    init<Element>(
        sending element: Disconnected<Element>,
        to storage: ChannelStorage<Element>,
        keeping handle: AnyObject,
        _ then: @escaping () throws -> Output
    ) {
        self.init(
            AnySelectBranch(
                at: storage,
                keeping: SelectParcel(element, to: storage, keeping: handle),
                .erasing(PlainHandler(then)),
                slot: Disconnected<Element>.self,
                traits: .carries,
                operate: {
                    $1.selectable(as: ChannelStorage<Element>.self).answerSend(
                        $1.keeper(as: SelectParcel.self),
                        $0,
                        $2
                    )
                },
                run: { branch, waiter, output in
                    let storage = branch.selectable(as: ChannelStorage<Element>.self)
                    guard try storage.selected(branch.keeper(as: SelectParcel.self), waiter) else {
                        return false
                    }
                    output.store(try branch.handler(as: PlainHandler<Output>.self).call())
                    return true
                }
            )
        )
    }
}
