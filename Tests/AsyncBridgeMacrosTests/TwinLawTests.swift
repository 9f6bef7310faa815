// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridge
import AsyncBridgeMacros
import AsyncBridgeTesting
import Testing

/// The suite's source, with handlers of several shapes and handles of several kinds.
///
/// The suite cancels before, during and after the start, drops handlers, and answers twice.
extension OneShotSource {
    @Bridged(.cancel { $0.cancel() })
    func result(completion: @escaping @Sendable (Result<Int, any Error>) -> Void) -> SourceHandle {
        self.start(completion)
    }

    @Bridged(.cancel { $0.cancel() })
    func valueAndError(completion: @escaping @Sendable (Int?, (any Error)?) -> Void) -> SourceHandle? {
        self.start { result in
            switch result {
            case .success(let value): completion(value, nil)
            case .failure(let error): completion(nil, error)
            }
        }
    }

    @Bridged(.cancel { (handle: SourceHandle) in handle.cancel() })
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

    @Bridged(.unchecked, .cancel { $0.cancel() })
    func unchecked(completion: @escaping @Sendable (Result<Int, any Error>) -> Void) -> SourceHandle {
        self.start(completion)
    }

    @Bridged(.cancel(nil))
    func abandoned(completion: @escaping @Sendable (Result<Int, any Error>) -> Void) -> SourceHandle {
        self.start(completion)
    }
}

@Suite(.timeLimit(.minutes(10)))
struct TwinLawTests {
    @Test func aTwinWithAHandleObeysTheLaws() async {
        for (name, twin) in Self.twins {
            let violations = await OneShotLaws.check(name, twin)
            #expect(violations.isEmpty, "\(violations)")
        }
    }

    @Test func aTwinThatIgnoresItsHandleObeysTheOtherLaws() async {
        let promises = OneShotPromises.all.with { $0.cancelsSource = false }
        let violations = await OneShotLaws.check("abandoned", promises: promises) { try await $0.abandoned() }
        #expect(violations.isEmpty, "\(violations)")
    }

    private static let twins: [(String, nonisolated(nonsending) @Sendable (OneShotSource) async throws -> Int)] = [
        ("result", { try await $0.result() }), ("value and error", { try await $0.valueAndError() }),
        ("pair", { try await $0.pair() }), ("unchecked", { try await $0.unchecked() }),
    ]
}
#endif
