// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

@testable import QuoteKit

@Suite("When a request is sent again", .timeLimit(.minutes(10)))
struct RetryPolicyTests {
    private let policy = RetryPolicy(
        maximumAttempts: 5,
        initialDelay: .seconds(1),
        maximumDelay: .seconds(6),
        jitter: 0.5
    )
    private let lost = QuoteFetchError.connection(URLError(.networkConnectionLost))

    private func delay(_ attempt: Int, _ error: QuoteFetchError, chance: Double = 0) -> Duration? {
        self.policy.delay(afterAttempt: attempt, failing: error, chance: chance)
    }

    @Test func `pauses double up to a limit`() {
        let delays = (1...4).map { self.delay($0, self.lost) }
        #expect(delays == [.seconds(1), .seconds(2), .seconds(4), .seconds(6)])
    }

    @Test func `attempts are bounded`() {
        #expect(self.delay(4, self.lost) != nil)
        #expect(self.delay(5, self.lost) == nil)
        #expect(RetryPolicy.never.delay(afterAttempt: 1, failing: self.lost, chance: 0) == nil)
    }

    @Test func `many attempts do not overflow`() {
        let patient = RetryPolicy(maximumAttempts: .max, initialDelay: .seconds(1), maximumDelay: .seconds(6))
        #expect(patient.delay(afterAttempt: .max - 1, failing: self.lost, chance: 0) == .seconds(6))
    }

    @Test func `chance shortens them`() {
        #expect(self.delay(1, self.lost, chance: 0.5) == .milliseconds(750))
        #expect(self.delay(1, self.lost, chance: 1) == .milliseconds(500))
        #expect(self.delay(4, self.lost, chance: 1) == .seconds(3))
    }

    @Test func `the server's word goes before`() {
        #expect(self.delay(1, .status(429, retryAfter: .seconds(5)), chance: 1) == .seconds(5))
        #expect(self.delay(3, .status(429, retryAfter: .zero)) == .zero)
        #expect(self.delay(1, .status(429, retryAfter: nil)) == .seconds(1))
    }

    @Test func `what is too long is not waited for`() {
        #expect(self.delay(1, .status(429, retryAfter: .seconds(6))) == .seconds(6))
        #expect(self.delay(1, .status(429, retryAfter: .seconds(7))) == nil)
    }

    @Test func `other errors stay`() {
        for error: QuoteFetchError in [
            .missingData, .decoding(path: "", reason: ""), .status(404), .status(500), .status(503, retryAfter: .zero),
        ] {
            #expect(self.delay(1, error) == nil)
        }
    }

    @Test func `nonsense is set right`() {
        let policy = RetryPolicy(maximumAttempts: -1, jitter: 7)
        #expect(policy.maximumAttempts == 1)
        #expect(policy.jitter == 1)
    }
}

@Suite("The header Retry-After", .timeLimit(.minutes(10)))
struct RetryAfterTests {
    // 2024-02-29, 12:00:00 UTC.
    private let now = Date(timeIntervalSince1970: 1_709_208_000)

    @Test(arguments: [
        ("0", Duration.zero),
        ("120", .seconds(120)),
        (" 7 ", .seconds(7)),
        ("99999999999999999999999", .seconds(366 * 24 * 60 * 60)),
        ("Thu, 29 Feb 2024 12:00:30 GMT", .seconds(30)),
        ("Thu, 29 Feb 2024 11:59:00 GMT", .zero),
        ("Fri, 01 Mar 2024 12:00:00 GMT", .seconds(24 * 60 * 60)),
    ])
    func delays(_ text: String, _ expected: Duration) {
        #expect(RetryAfter.delay(text, now: self.now) == expected)
    }

    @Test(arguments: ["", "soon", "-3", "1.5", "Thu, 29 Feb", "٣"]) func nonsense(_ text: String) {
        #expect(RetryAfter.delay(text, now: self.now) == nil)
    }
}
