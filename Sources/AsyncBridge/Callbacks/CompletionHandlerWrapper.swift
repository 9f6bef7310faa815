// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// An async loader, for callers that use a completion handler: the opposite of ``AsyncAwaitWrapper``.
///
/// ```swift
/// let oldStyle = CompletionHandlerWrapper { try await api.contacts() }
/// oldStyle.load { result in show(result) }
/// ```
///
/// ## Cancellation
/// ``CallHandle/cancel()`` cancels the loader's task. The loader still runs if it had not started: with its own error
/// type there is no other way to get an answer.
///
/// ## Isolation
/// The completion handler runs where it was written. The loader inherits the task-locals and priority of the caller of
/// `load`.
public struct CompletionHandlerWrapper<Resource: Sendable, ResourceError: Error>: Sendable {
    private let loader: @Sendable () async -> Result<Resource, ResourceError>

    /// Wraps a loader that returns a result.
    ///
    /// - Parameter loader: The loader.
    public init(result loader: @escaping @Sendable () async -> Result<Resource, ResourceError>) {
        self.loader = loader
    }

    /// Wraps a loader that throws.
    ///
    /// - Parameter loader: The loader.
    public init(_ loader: @escaping @Sendable () async throws(ResourceError) -> Resource) {
        self.loader = {
            do throws(ResourceError) {
                return .success(try await loader())
            } catch {
                return .failure(error)
            }
        }
    }

    /// Loads the resource and calls the completion handler, exactly once.
    ///
    /// - Parameter completion: Gets the loader's result.
    /// - Returns: A handle to cancel with.
    /// - Complexity: O(1); starts one task.
    @discardableResult
    public func load(
        @_inheritActorContext
        completion: @escaping @Sendable @isolated(any) (Result<Resource, ResourceError>) -> Void
    ) -> CallHandle {
        let loader = self.loader
        return CallHandle(Task { await completion(await loader()) })
    }
}
