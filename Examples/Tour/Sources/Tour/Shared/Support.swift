// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Something that several threads write down.
final class Notebook<Entry: Sendable>: Sendable {
    private let notes = Mutex<[Entry]>([])

    var entries: [Entry] { self.notes.withLock { $0 } }

    func note(_ entry: Entry) { self.notes.withLock { $0.append(entry) } }

    /// Takes all entries out.
    func takeAll() -> [Entry] {
        self.notes.withLock { notes in
            defer { notes = [] }
            return notes
        }
    }
}

/// Waits for something that other threads do.
///
/// The watchdog ends a wait whose condition never holds.
@MainActor
func until(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
}

/// The error of an operation, if it throws one.
@MainActor
func errorOf<Value>(_ operation: () async throws -> Value) async -> (any Error)? {
    do {
        _ = try await operation()
        return nil
    } catch {
        return error
    }
}

/// Ends the program: with status 0 if everything was right, else with 1.
func endProgram(isRight: Bool) -> Never { exit(isRight ? 0 : 1) }

/// Ends the program if the tour hangs, and says where.
func startWatchdog(seconds: Int) {
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) {
        print("\nWRONG: the tour did not end within \(seconds) seconds.")
        BridgeDiagnostics.dumpPendingWaits()
        exit(2)
    }
}
