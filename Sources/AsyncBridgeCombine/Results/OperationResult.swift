// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
/// Delivers the result of an async function where the function ended.
enum OperationResult {
    /// Runs a function, and delivers its result on the actor of the function's closure, or in Swift's pool.
    ///
    /// - Parameters:
    ///   - operation: The function; it does not run in a cancelled task, whose result is not needed.
    ///   - isolation: The actor of its closure.
    ///   - deliver: Gets the result.
    static func deliver<Value: Sendable, Failure: Error>(
        _ operation: @Sendable @isolated(any) () async throws(Failure) -> Value,
        on isolation: isolated (any Actor)?,
        _ deliver: (Result<Value, Failure>) -> Void
    ) async {
        if Task.isCancelled { return }
        if isolation !== MainActor.shared { SubscriberOfMainActor.explain }
        let result: Result<Value, Failure>
        do throws(Failure) { result = .success(try await operation()) } catch { result = .failure(error) }
        deliver(result)
    }
}
#endif
