// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

// Each kind of branch: the closures capture nothing, see `AnySelectBranch`.

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
                operate: { $1.place(as: ChannelStorage<Element>.self).answerReceive($0, $2) },
                run: { branch, waiter, output in
                    let storage = branch.place(as: ChannelStorage<Element>.self)
                    switch storage.selected(waiter) {
                    case .element(let element):
                        output.store(try branch.handler(as: ElementHandler<Element, Output>.self).call(element.take()))
                        return true
                    case .ended(let end): throw storage.error(for: end)
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
                operate: { $1.place(as: ChannelStorage<Element>.self).answerReceive($0, $2) },
                run: { branch, waiter, output in
                    let storage = branch.place(as: ChannelStorage<Element>.self)
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
                keeping: SelectParcel(element, keeping: handle),
                .erasing(PlainHandler(then)),
                slot: Disconnected<Element>.self,
                traits: .carries,
                operate: {
                    $1.place(as: ChannelStorage<Element>.self).answerSend(
                        $1.keeper(as: SelectParcel<Element>.self),
                        $0,
                        $2
                    )
                },
                run: { branch, waiter, output in
                    let storage = branch.place(as: ChannelStorage<Element>.self)
                    guard try storage.selected(branch.keeper(as: SelectParcel<Element>.self), waiter) else {
                        return false
                    }
                    output.store(try branch.handler(as: PlainHandler<Output>.self).call())
                    return true
                }
            )
        )
    }

    /// Takes the value of a future, or throws its error.
    @inlinable
    init<Value: Sendable>(valueOf future: CoFuture<Value>, _ then: @escaping (Value) throws -> Output) {
        self.init(
            AnySelectBranch(
                at: future,
                .erasing(ValueHandler(then)),
                slot: UInt.self,
                operate: { $1.place(as: AnyCoFuture.self).answer($0, $2) },
                run: { branch, _, output in
                    guard let result = branch.place(as: CoFuture<Value>.self).result else { return false }
                    output.store(try branch.handler(as: ValueHandler<Value, Output>.self).call(result.get()))
                    return true
                }
            )
        )
    }

    /// Takes the result of a future.
    @inlinable
    init<Value: Sendable>(
        resultOf future: CoFuture<Value>,
        _ then: @escaping (Result<Value, any Error>) throws -> Output
    ) {
        self.init(
            AnySelectBranch(
                at: future,
                .erasing(ValueHandler(then)),
                slot: UInt.self,
                operate: { $1.place(as: AnyCoFuture.self).answer($0, $2) },
                run: { branch, _, output in
                    guard let result = branch.place(as: CoFuture<Value>.self).result else { return false }
                    output.store(
                        try branch.handler(as: ValueHandler<Result<Value, any Error>, Output>.self).call(result)
                    )
                    return true
                }
            )
        )
    }

    /// Happens after some time.
    @inlinable
    init(after delay: SelectDelay, _ then: @escaping () throws -> Output) {
        self.init(
            AnySelectBranch(
                at: delay,
                .erasing(PlainHandler(then)),
                slot: UInt.self,
                traits: delay.traits,
                operate: { $1.place(as: SelectDelay.self).answer($0, $2) },
                run: { branch, waiter, output in
                    guard waiter != nil || branch.place(as: SelectDelay.self).isOver else { return false }
                    output.store(try branch.handler(as: PlainHandler<Output>.self).call())
                    return true
                }
            )
        )
    }

    /// Happens if nothing else can.
    @inlinable
    init(otherwise then: @escaping () throws -> Output) {
        self.init(
            AnySelectBranch(
                at: NoPlace.shared,
                .erasing(PlainHandler(then)),
                slot: UInt.self,
                traits: .isDefault,
                operate: { _, _, _ in .no },
                run: { branch, _, output in
                    output.store(try branch.handler(as: PlainHandler<Output>.self).call())
                    return true
                }
            )
        )
    }
}

/// Where a default waits: nowhere.
@usableFromInline
final class NoPlace: Sendable {
    @usableFromInline static let shared = NoPlace()
}
