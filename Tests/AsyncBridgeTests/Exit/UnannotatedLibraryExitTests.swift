// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing
import UnannotatedLibrary

/// Why the guides give libraries handlers of the callback, and no closures of their own.
///
/// When this test fails, Swift has changed, and the guides may say less.
@Suite("A closure by hand for a library from before Swift 6", .timeLimit(.minutes(10)))
struct UnannotatedLibraryExitTests {
    @MainActor
    private final class Model {
        private let library = OldLibrary()

        func byHand() async throws -> Int {
            try await withCallback { callback in
                self.library.ranked("a", nil) { _, rank, _ in callback.resume(returning: rank) }
            }
        }

        func sendable() async throws -> Int {
            try await withCallback { callback in
                self.library.ranked("a", nil) { @Sendable _, rank, _ in callback.resume(returning: rank) }
            }
        }

        func handler() async throws -> Int {
            try await withCallback { callback in self.library.ranked("a", nil, callback.handler { _, rank, _ in rank })
            }
        }
    }

    @Test func `ends the process where it belongs to the main actor`() async {
        await #expect(processExitsWith: .failure) { _ = try await Model().byHand() }
    }

    @Test func `answers where it is sendable or a handler's`() async {
        await #expect(processExitsWith: .success) {
            let answers = [try await Model().sendable(), try await Model().handler()]
            #expect(answers == [3, 3])
        }
    }
}
