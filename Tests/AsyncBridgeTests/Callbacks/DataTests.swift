// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Foundation
import Testing

/// Values of Foundation's `Data`, whose layout crashed the optimising compiler: a release build is the test.
@Suite("Data", .timeLimit(.minutes(10)))
struct DataTests {
    typealias DataHandler = @Sendable (Data?, (any Error)?) -> Void
    typealias PairHandler = @Sendable (Data?, Lifetimes.Probe?, (any Error)?) -> Void

    private static let data = Data([1, 2, 3])

    @Test(arguments: [false, true])
    func `arrives at once and late`(isLate: Bool) async throws {
        func old(_ handler: @escaping DataHandler) {
            if isLate { detachThread { handler(Self.data, nil) } } else { handler(Self.data, nil) }
        }
        let data = try await withCallback { callback in old(callback.handler()) }
        #expect(data == Self.data)
    }

    @Test(arguments: [false, true])
    func `arrives through the form with onCancel:`(isLate: Bool) async throws {
        func old(_ handler: @escaping DataHandler) -> Int {
            if isLate { detachThread { handler(Self.data, nil) } } else { handler(Self.data, nil) }
            return 1
        }
        let data = try await withCallback(of: Data.self) { callback in
            old(callback.handler())
        } onCancel: { _ in
        }
        #expect(data == Self.data)
    }

    @Test(arguments: [false, true])
    func `arrives in a pair, as from a URL session`(isLate: Bool) async throws {
        let lifetimes = Lifetimes()
        func old(_ handler: @escaping PairHandler) -> Int {
            let probe = lifetimes.probe(7)
            if isLate { detachThread { handler(Self.data, probe, nil) } } else { handler(Self.data, probe, nil) }
            return 1
        }
        let (data, probe) = try await withCallback { callback in
            old(callback.handler())
        } onCancel: { _ in
        }
        #expect(data == Self.data)
        #expect(probe.number == 7)
    }

    @Test func `arrives through the typed and the non throwing forms`() async throws {
        let typed = try await withCallback(of: Data.self, throwing: APIError.self) { callback in
            detachThread { callback.resume(returning: Self.data) }
        }
        let interrupted = await withCallback(of: Data.self, ifInterrupted: { _ in Data() }) { callback in
            detachThread { callback.resume(returning: Self.data) }
        }
        #expect([typed, interrupted] == [Self.data, Self.data])
    }
}
