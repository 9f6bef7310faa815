// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// What SwiftPM writes for a package's tests, without SwiftPM: `Scripts/check-test-frameworks` compiles this program.

import Testing
import XCTest

if CommandLine.arguments.contains("xctest") {
    let tests = [
        ("testRight", asyncTest(BridgeTestCase.testRight)),
        ("testOneShot", asyncTest(BridgeTestCase.testOneShot)),
        ("testSequence", asyncTest(BridgeTestCase.testSequence)),
        ("testPublisher", asyncTest(BridgeTestCase.testPublisher)),
        ("testSubscriber", asyncTest(BridgeTestCase.testSubscriber)),
    ]
    XCTMain([testCase(tests)], arguments: [CommandLine.arguments[0]])
} else {
    await __swiftPMEntryPoint() as Never
}
