// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A loader with a completion handler, for callers that use async/await.
///
/// The loader stays as it is, and so do its other clients:
///
/// ```swift
/// let loader: any UsersNamesLoader = makeLoader()
/// let asyncLoader = AsyncAwaitWrapper(loader: loader.load)
/// let result = await asyncLoader.load()
/// ```
///
/// ## Exactly one result
/// The first call of the completion handler wins; a second one is refused and reported.
///
/// ## Cancellation
/// A loader cannot be cancelled, so `load()` keeps waiting for it.
///
/// ## Isolation
/// The loader is called synchronously on the caller's actor, and the result arrives there.
public struct AsyncAwaitWrapper<Resource: Sendable, ResourceError: Error> {
    /// A function that loads a resource and calls its completion handler, on any thread.
    ///
    /// The loader's handler need not be declared `@Sendable`.
    public typealias ResourceLoader = (
        _ completion: @escaping @Sendable (Result<Resource, ResourceError>) -> Void
    ) -> Void

    private let loader: ResourceLoader
    private let dropped: ((BridgeFault) -> ResourceError)?
    private let made: CallSite

    /// Wraps a loader whose errors are of a known type.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - loader: The loader.
    ///   - dropped: The error for a loader that drops its completion handler; `nil` traps with a message that
    ///     names this place.
    public init(
        fileID: StaticString = #fileID,
        line: UInt = #line,
        loader: @escaping ResourceLoader,
        dropped: ((BridgeFault) -> ResourceError)?
    ) {
        self.loader = loader
        self.dropped = dropped
        self.made = CallSite(fileID: fileID, line: line)
    }

    /// Loads the resource, and returns the loader's result.
    ///
    /// - Returns: The result that the loader passed to its completion handler.
    public nonisolated(nonsending) func load() async -> Result<Resource, ResourceError> {
        do throws(BridgeError<ResourceError>) {
            return .success(try await self.answer())
        } catch {
            switch error {
            case .failure(let error): return .failure(error)
            case .interruption(let interruption): return .failure(self.error(for: interruption))
            }
        }
    }

    /// Loads the resource, or throws the loader's error.
    ///
    /// If the context needs neither a resource nor a result, the form that returns a `Result` is chosen.
    ///
    /// - Returns: The resource.
    /// - Throws: The loader's error.
    @_disfavoredOverload
    public nonisolated(nonsending) func load() async throws(ResourceError) -> Resource {
        let result: Result<Resource, ResourceError> = await self.load()
        return try result.get()
    }

    private nonisolated(nonsending) func answer() async throws(BridgeError<ResourceError>) -> Resource {
        try await withCallback(
            throwing: ResourceError.self,
            cancellation: .ignore,
            fileID: self.made.fileIDLiteral,
            line: self.made.line
        ) { callback in
            self.loader(callback.handler(fileID: self.made.fileIDLiteral, line: self.made.line))
        }
    }

    private func error(for interruption: BridgeInterruption) -> ResourceError {
        switch interruption {
        case .fault(let fault):
            guard let dropped = self.dropped else {
                fatalError("AsyncAwaitWrapper: \(fault). Pass 'dropped:' to get an error instead.")
            }
            return dropped(fault)
        case .cancelled:
            preconditionFailure("BUG: a cooperative wait was cancelled")
        }
    }
}

extension AsyncAwaitWrapper where ResourceError == any Error {
    /// Wraps a loader whose errors are of any type.
    ///
    /// If the loader drops its completion handler, the result is a ``BridgeFault``.
    ///
    /// - Parameters:
    ///   - fileID: The caller's file.
    ///   - line: The caller's line.
    ///   - loader: The loader.
    public init(fileID: StaticString = #fileID, line: UInt = #line, loader: @escaping ResourceLoader) {
        self.init(fileID: fileID, line: line, loader: loader, dropped: { $0 })
    }
}
