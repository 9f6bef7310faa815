// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "I have Objective-C": calling it, and serving it.

// snippet.CALL
import AsyncBridge
import ObjectiveCFramework

extension QuoteLoader {
    nonisolated(nonsending) func quote(withID id: Int) async throws -> String {
        try await withCallback(timeout: .seconds(10)) { callback in
            self.loadQuote(withID: id, completionHandler: callback.handler())
        }
    }
}
// snippet.end

// snippet.SERVE
nonisolated final class QuoteService: NSObject, Sendable {
    // Swift callers.
    func quote() async throws -> String { "Festina lente." }

    // Callers in Objective-C: mark it @objc. Not the async function: it could not be cancelled.
    func loadQuote(completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void) -> Progress {
        let progress = Progress(totalUnitCount: 1)
        let handle = callAsync(deliver: .through { DispatchQueue.main.async(execute: $0) }) {
            try await self.quote()
        } completion: { result in
            switch result {
            case .success(let quote): completionHandler(quote, nil)
            case .failure(let error): completionHandler(nil, error)
            }
        }
        progress.cancellationHandler = { handle.cancel() }
        return progress
    }
}
// snippet.end

@MainActor
func run() async throws {
    let loader = QuoteLoader()
    print(try await loader.quote(withID: 1))
    do { print(try await loader.quote(withID: 2)) } catch { print("failed") }
    do { print(try await loader.quote(withID: 0)) } catch let fault as BridgeFault { print(fault.code) }
    let served = try await withCallback { callback in
        _ = QuoteService().loadQuote(completionHandler: callback.handler())
    }
    print(served)
}
BridgeDiagnostics.policy = .ignore
try await run()
