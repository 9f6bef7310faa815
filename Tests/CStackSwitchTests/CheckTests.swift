// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CStackSwitchTestSupport
import Testing

/// Runs what must be checked in C.
@Suite("CStackSwitch in C", .timeLimit(.minutes(10)))
struct CheckTests {
    /// The names of all rows of a table.
    private static func names(_ name: (Int) -> UnsafePointer<CChar>?) -> [String] {
        var names: [String] = []
        while let next = name(names.count) { names.append(String(cString: next)) }
        return names
    }

    static let checks = Self.names { cstacktest_check_at($0)?.pointee.name }
    static let violations = Self.names { cstacktest_violation_at($0)?.pointee.name }

    @Test(arguments: Self.checks) func holds(_ name: String) throws {
        let index = try #require(Self.checks.firstIndex(of: name))
        let check = try #require(cstacktest_check_at(index))
        let failure = check.pointee.run().map { String(cString: $0) }
        #expect(failure == nil)
    }

    @Test(arguments: Self.violations) func endsTheProcess(_ name: String) async throws {
        let index = try #require(Self.violations.firstIndex(of: name))
        let message = try #require(cstacktest_violation_at(index).map { String(cString: $0.pointee.message) })
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [index = index as Int] in
            cstacktest_violation_at(index)?.pointee.run()
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("CStackSwitch: ") && output.contains(message))
    }
}
