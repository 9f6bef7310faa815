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

    @Test(arguments: Self.checks) func holds(_ name: String) async throws {
        let index = try #require(Self.checks.firstIndex(of: name))
        let check = try #require(cstacktest_check_at(index))
        guard check.pointee.is_alone else {
            let failure = check.pointee.run().map { String(cString: $0) }
            #expect(failure == nil)
            return
        }
        // Exit tests of Swift 6.2 capture nothing.
        #if compiler(>=6.3)
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            [index = index as Int] in
            Self.runAlone(index)
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(!output.contains("failed: "), "\(output)")
        #endif
    }

    /// Runs a check in a process that is there for nothing else.
    private static func runAlone(_ index: Int) {
        guard let failure = cstacktest_check_at(index)?.pointee.run() else { return }
        fatalError("failed: \(String(cString: failure))")
    }

    // Exit tests of Swift 6.2 capture nothing.
    #if compiler(>=6.3)
    @Test(arguments: Self.violations) func `ends the process`(_ name: String) async throws {
        let index = try #require(Self.violations.firstIndex(of: name))
        let message = try #require(cstacktest_violation_at(index).map { String(cString: $0.pointee.message) })
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [index = index as Int] in
            cstacktest_violation_at(index)?.pointee.run()
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("CStackSwitch: ") && output.contains(message))
    }
    #endif
}
