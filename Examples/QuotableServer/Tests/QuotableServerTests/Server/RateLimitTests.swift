// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import HTTPTypes
import Testing

@testable import QuotableServer

@Suite("The limit of requests", .timeLimit(.minutes(10)))
struct RateLimitTests {
    // On a busy machine the requests of a test may take more than their minute.
    private let now = ContinuousClock.now

    @Test func `a hundred and eighty are allowed`() async throws {
        try await withClient(.init(), now: { self.now }) { client in
            for _ in 0..<180 {
                let status = try await client.status("/tags")
                #expect(status == 200)
            }
            let refusal = try await client.refusal("/tags")
            #expect(refusal.statusCode == 429)
            let response = try await client.response("/quotes")
            #expect(response.status == .tooManyRequests)
            let seconds = try #require(response.headers[.retryAfter].flatMap { Int($0) })
            #expect(seconds == 60)
            // Health checks go on.
            #expect(try await client.get("/health") == Health(status: "ok"))
        }
    }

    @Test func `answers say what is left`() async throws {
        let remaining = try #require(HTTPField.Name("X-RateLimit-Remaining"))
        try await withClient(.init(requestsPerMinute: 3), now: { self.now }) { client in
            var left: [String?] = []
            // Errors count and tell as well.
            for path in ["/tags", "/quotes/none", "/authors", "/random"] {
                left.append(try await client.response(path).headers[remaining])
            }
            #expect(left == ["2", "1", "0", "0"])
        }
    }

    @Test func `it can be switched off`() async throws {
        try await withClient(.init(requestsPerMinute: nil)) { client in
            for _ in 0..<200 {
                let status = try await client.status("/info/count")
                #expect(status == 200)
            }
        }
    }
}

@Suite("Allowance", .timeLimit(.minutes(10)))
struct AllowanceTests {
    private let start = ContinuousClock.now

    @Test func `each address has its own`() {
        var allowance = Allowance(limit: 1)
        #expect(allowance.take(for: "a", at: self.start).isGranted)
        #expect(allowance.take(for: "b", at: self.start).isGranted)
        #expect(!allowance.take(for: "a", at: self.start).isGranted)
        #expect(!allowance.take(for: "b", at: self.start).isGranted)
    }

    @Test func `a minute begins with the first request`() {
        var allowance = Allowance(limit: 2)
        let first = allowance.take(for: "a", at: self.start)
        #expect(first == .init(isGranted: true, limit: 2, remaining: 1, secondsToReset: 60))
        let second = allowance.take(for: "a", at: self.start + .seconds(40))
        #expect(second == .init(isGranted: true, limit: 2, remaining: 0, secondsToReset: 20))
        let third = allowance.take(for: "a", at: self.start + .milliseconds(59_500))
        #expect(third == .init(isGranted: false, limit: 2, remaining: 0, secondsToReset: 1))
        let fourth = allowance.take(for: "a", at: self.start + .seconds(60))
        #expect(fourth == .init(isGranted: true, limit: 2, remaining: 1, secondsToReset: 60))
    }

    @Test func `forgotten addresses take no space`() {
        var allowance = Allowance(limit: 1)
        for number in 0..<1000 { _ = allowance.take(for: "\(number)", at: self.start) }
        #expect(allowance.size == 1000)
        _ = allowance.take(for: "new", at: self.start + .seconds(61))
        #expect(allowance.size == 1)
    }
}
