// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeTesting
import Dispatch
import SwiftCoroutine
import Testing

/// Waits of SwiftCoroutine with Dispatch's intervals know where they are called.
@Suite("SwiftCoroutine's waits outside a coroutine", .timeLimit(.minutes(10)))
struct SwiftCoroutineWaitTests {
    private static func reports(at line: UInt) -> [BridgeDiagnostics.Misuse.Kind] {
        CollectedReports.all(about: CallSite(fileID: #fileID, line: line)).map(\.kind)
    }

    @Test func `are reported with their place`() {
        CollectedReports.begin()
        let (promise, interval) = (CoPromise<Int>(), DispatchTimeInterval.milliseconds(1))
        defer { promise.success(0) }
        let first: UInt = #line + 1
        #expect(throws: CoroutineError.outsideCoroutine) { try promise.await(timeout: .milliseconds(1)) }
        #expect(throws: CoroutineError.outsideCoroutine) { try promise.await(timeout: interval) }
        #expect(throws: CoroutineError.outsideCoroutine) { try promise.await(timeout: .never) }
        #expect(throws: CoroutineError.outsideCoroutine) { try Coroutine.delay(.milliseconds(1)) }
        #expect(throws: CoroutineError.outsideCoroutine) { try Coroutine.delay(interval) }
        for line in first..<first + 5 { #expect(Self.reports(at: line) == [.waitedOutsideCoroutine], "\(line)") }
    }

    @Test func `can be values`() {
        let promise = CoPromise<Int>()
        promise.success(1)
        let wait: (DispatchTimeInterval) throws -> Int = promise.await(timeout:)
        let delay: (DispatchTimeInterval) throws -> Void = Coroutine.delay
        #expect(throws: Never.self) { _ = try wait(.milliseconds(0)) }
        #expect(throws: CoroutineError.outsideCoroutine) { try delay(.milliseconds(1)) }
    }
}
#endif
