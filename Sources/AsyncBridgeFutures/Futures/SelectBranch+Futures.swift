// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension SelectBranch {
    /// Takes the value of a future.
    ///
    /// If the future fails, `select` throws its error. The future is not cancelled if another branch happens.
    ///
    /// - Parameters:
    ///   - future: The future.
    ///   - then: Gets the value.
    /// - Returns: The branch.
    @inlinable
    public static func value<Value: Sendable>(
        of future: CoFuture<Value>,
        then: @escaping (Value) throws -> Output
    ) -> SelectBranch {
        SelectBranch(valueOf: future, then)
    }

    /// Takes the result of a future.
    ///
    /// The future is not cancelled if another branch happens.
    ///
    /// - Parameters:
    ///   - future: The future.
    ///   - then: Gets the value or the error.
    /// - Returns: The branch.
    @inlinable
    public static func result<Value: Sendable>(
        of future: CoFuture<Value>,
        then: @escaping (Result<Value, any Error>) throws -> Output
    ) -> SelectBranch {
        SelectBranch(resultOf: future, then)
    }
}

// MARK: - The branches themselves

// The closures of a branch capture nothing: see `AnySelectBranch`.

extension SelectBranch {
    /// Takes the value of a future, or throws its error.
    @inlinable
    init<Value: Sendable>(valueOf future: CoFuture<Value>, _ then: @escaping (Value) throws -> Output) {
        self.init(
            AnySelectBranch(
                at: future,
                .erasing(ValueHandler(then)),
                slot: UInt.self,
                operate: { $1.selectable(as: AnyCoFuture.self).answer($0, $2) },
                run: { branch, _, output in
                    guard let result = branch.selectable(as: CoFuture<Value>.self).result else { return false }
                    output.store(
                        try branch.handler(as: ValueHandler<Value, Output>.self).call(
                            SelectSourceFailure.value(of: result)
                        )
                    )
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
                operate: { $1.selectable(as: AnyCoFuture.self).answer($0, $2) },
                run: { branch, _, output in
                    guard let result = branch.selectable(as: CoFuture<Value>.self).result else { return false }
                    output.store(
                        try branch.handler(as: ValueHandler<Result<Value, any Error>, Output>.self).call(result)
                    )
                    return true
                }
            )
        )
    }
}
