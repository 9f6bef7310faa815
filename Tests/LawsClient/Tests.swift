// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A user's tests of the bridges, under both frameworks. A line that must fail ends with an arrow.

import AsyncBridgeTesting
import Testing
import XCTest

@Suite(.serialized, .timeLimit(.minutes(10))) struct BridgeTests {
    @Test func right() async {
        for check in [Right.oneShot, Right.sequence, Right.publisher, Right.subscriber] {
            let violations = await check()
            #expect(violations.isEmpty, "\(violations)")
        }
    }

    @Test func oneShot() async {
        let violations = await Wrong.oneShot()
        #expect(violations.isEmpty, "\(violations)")  // <-
    }

    @Test func sequence() async {
        let violations = await Wrong.sequence()
        #expect(violations.isEmpty, "\(violations)")  // <-
    }

    @Test func publisher() async {
        let violations = await Wrong.publisher()
        #expect(violations.isEmpty, "\(violations)")  // <-
    }

    @Test func subscriber() async {
        let violations = await Wrong.subscriber()
        #expect(violations.isEmpty, "\(violations)")  // <-
    }
}

final class BridgeTestCase: XCTestCase {
    func testRight() async {
        for check in [Right.oneShot, Right.sequence, Right.publisher, Right.subscriber] {
            let violations = await check()
            XCTAssert(violations.isEmpty, "\(violations)")
        }
    }

    func testOneShot() async {
        let violations = await Wrong.oneShot()
        XCTAssert(violations.isEmpty, "\(violations)")  // <-
    }

    func testSequence() async {
        let violations = await Wrong.sequence()
        XCTAssert(violations.isEmpty, "\(violations)")  // <-
    }

    func testPublisher() async {
        let violations = await Wrong.publisher()
        XCTAssert(violations.isEmpty, "\(violations)")  // <-
    }

    func testSubscriber() async {
        let violations = await Wrong.subscriber()
        XCTAssert(violations.isEmpty, "\(violations)")  // <-
    }
}
