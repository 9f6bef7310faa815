// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeMacros
public import AsyncBridgeTesting

/// The suite's source, with handlers of several shapes and handles of several kinds.
///
/// The suite cancels before, during and after the start, drops handlers, and answers twice.
extension OneShotSource {
    @Bridged(.cancel { $0.cancel() })
    func result(completion: @escaping @Sendable (Result<Int, any Error>) -> Void) -> SourceHandle {
        self.start(completion)
    }

    @Bridged(.nonsending, .cancel { $0.cancel() })
    func staying(completionHandler: @escaping @Sendable (Result<Int, any Error>) -> Void) -> SourceHandle {
        self.start(completionHandler)
    }

    @Bridged(.nonsending, .cancel { $0.cancel() })
    func valueAndError(completion: @escaping @Sendable (Int?, (any Error)?) -> Void) -> SourceHandle? {
        self.start { result in
            switch result {
            case .success(let value): completion(value, nil)
            case .failure(let error): completion(nil, error)
            }
        }
    }

    @Bridged(.nonsending, .cancel { (handle: SourceHandle) in handle.cancel() })
    func pair(
        success: @escaping @Sendable (Int) -> Void,
        failure: @escaping @Sendable (any Error) -> Void
    ) throws -> SourceHandle {
        try self.startThrowing { result in
            switch result {
            case .success(let value): success(value)
            case .failure(let error): failure(error)
            }
        }
    }

    @Bridged(.unchecked, .nonsending, .cancel { $0.cancel() })
    func unchecked(completion: @escaping @Sendable (Result<Int, any Error>) -> Void) -> SourceHandle {
        self.start(completion)
    }

    @Bridged(.cooperative, .nonsending, .cancel { $0.cancel() })
    func cooperative(completion: @escaping @Sendable (Result<Int, any Error>) -> Void) -> SourceHandle {
        self.start(completion)
    }

    @Bridged(.nonsending, .cancel(nil))
    func abandoned(completion: @escaping @Sendable (Result<Int, any Error>) -> Void) -> SourceHandle {
        self.start(completion)
    }

    @Bridged
    func value() async throws -> Int { try await self.result() }
}

/// Twins, in the language mode of these files, under the laws of bridges to one value.
public enum LawTwins {
    /// A twin, and what the suite has found.
    public struct Finding: Sendable {
        /// The twin's function.
        public let name: String

        /// What it promises.
        public let promises: OneShotPromises

        /// The laws that it breaks.
        public let violations: [Violation]
    }

    /// Those that keep what they promise.
    public static func findings() async -> [Finding] {
        // Without NonisolatedNonsendingByDefault a twin leaves its caller's actor, as every async function does.
        let anywhere = OneShotPromises.standard.with { $0.startsOnCaller = false }
        return [
            await self.finding("result", anywhere) { try await $0.result() },
            await self.finding("staying", .standard) { try await $0.staying() },
            await self.finding("value and error", .standard) { try await $0.valueAndError() },
            await self.finding("pair", .standard) { try await $0.pair() },
            await self.finding("unchecked", .standard) { try await $0.unchecked() },
            await self.finding("cooperative", .cooperative) { try await $0.cooperative() },
            await self.finding("abandoned", .standard.with { $0.cancelsSource = false }) { try await $0.abandoned() },
            // A twin with a completion handler, and its handle, around one without.
            await self.finding("there and back", anywhere) { source in
                try await withCallback { callback in
                    source.value(completion: callback.handler())
                } onCancel: { handle in
                    handle.cancel()
                }
            },
        ]
    }

    /// A twin that ignores its handle, and promises too much: what is found shows that the suite can find it.
    public static func abandoned(only scenarios: Set<String>) async -> Finding {
        await self.finding("abandoned", .standard, only: scenarios) { try await $0.abandoned() }
    }

    /// A twin that stays with its caller in two of the language modes only.
    public static func leaving(only scenarios: Set<String>) async -> Finding {
        await self.finding("result", .standard, only: scenarios) { try await $0.result() }
    }

    private static func finding(
        _ name: String,
        _ promises: OneShotPromises,
        only scenarios: Set<String>? = nil,
        _ twin: nonisolated(nonsending) @escaping @Sendable (OneShotSource) async throws -> Int
    ) async -> Finding {
        let violations = await OneShotLaws.check(name, promises: promises, only: scenarios, twin)
        return Finding(name: name, promises: promises, violations: violations)
    }
}
#endif
