// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Objective-C": calling it, and serving it.

// snippet.CALL
import AsyncBridge
import ObjectiveCFramework
import Synchronization  // Only for what the program keeps.

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
    func quote() async throws -> String { try await latestQuote() }

    // Callers in Objective-C: mark it @objc. Not the async function: it could not be cancelled.
    func loadQuote(completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void) -> Progress {
        let progress = Progress(totalUnitCount: 1)
        let handle = callAsync(deliver: .through { DispatchQueue.main.async(execute: $0) }) {
            try await self.quote()
        } completion: { result in
            progress.completedUnitCount = 1
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
    let progress = Mutex<Progress?>(nil)
    let served = try await withCallback { callback in
        let loading = QuoteService().loadQuote(completionHandler: callback.handler())
        progress.withLock { $0 = loading }
    }
    print(served)
    print("finished: \(progress.withLock { $0?.isFinished ?? false })")
    isSlow.store(true, ordering: .relaxed)
    do {
        let never = try await withCallback { callback in
            QuoteService().loadQuote(completionHandler: callback.handler()).cancel()
        }
        print(never)
    } catch { print(error) }
}
BridgeDiagnostics.policy = .ignore
try await run()

// snippet.hide

let isSlow = Atomic(false)

nonisolated func latestQuote() async throws -> String {
    if isSlow.load(ordering: .relaxed) { try await Task.sleep(for: .seconds(600)) }
    return "Festina lente."
}
