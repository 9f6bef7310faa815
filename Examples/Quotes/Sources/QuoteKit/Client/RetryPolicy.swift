// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// When a request is sent again.
///
/// Only one that may be repeated (GET, HEAD), and only after a 429 or a lost connection. Each pause is twice as long as
/// the one before, up to a limit, and shortened by chance, so that clients that failed together do not come back
/// together. What the server asks for in `Retry-After` goes before; if that is longer than the limit, nothing is sent
/// again.
public struct RetryPolicy: Hashable, Sendable {
    /// How often a request is sent in all; one is never again.
    public var maximumAttempts: Int
    /// The first pause.
    public var initialDelay: Duration
    /// The longest pause.
    public var maximumDelay: Duration
    /// The part of a pause that is left to chance, from 0 to 1.
    public var jitter: Double

    /// Makes a policy.
    ///
    /// - Parameters:
    ///   - maximumAttempts: How often a request is sent in all; at least once.
    ///   - initialDelay: The first pause.
    ///   - maximumDelay: The longest pause.
    ///   - jitter: The part of a pause that is left to chance, from 0 to 1.
    public init(
        maximumAttempts: Int = 3,
        initialDelay: Duration = .milliseconds(250),
        maximumDelay: Duration = .seconds(20),
        jitter: Double = 0.5
    ) {
        self.maximumAttempts = max(maximumAttempts, 1)
        self.initialDelay = initialDelay
        self.maximumDelay = maximumDelay
        self.jitter = min(max(jitter, 0), 1)
    }

    /// Sends everything once.
    public static let never = Self(maximumAttempts: 1)

    /// Decides about the next attempt.
    ///
    /// - Parameters:
    ///   - attempt: How many have failed.
    ///   - error: How the last one failed.
    ///   - chance: A random number from 0 to 1.
    /// - Returns: The pause before the next attempt, or nil if there is none.
    func delay(afterAttempt attempt: Int, failing error: QuoteFetchError, chance: Double) -> Duration? {
        guard attempt < self.maximumAttempts else { return nil }
        switch error {
        case .status(429, _, let wanted?): return wanted <= self.maximumDelay ? max(wanted, .zero) : nil
        case .status(429, _, nil), .connection: return self.backoff(attempt, chance)
        case .status, .invalidURL, .missingData, .decoding: return nil
        }
    }

    private func backoff(_ attempt: Int, _ chance: Double) -> Duration {
        var delay = min(self.initialDelay, self.maximumDelay)
        for _ in 1..<max(attempt, 1) {
            // Stops at the limit, so that no number of attempts takes long, or overflows.
            if delay == self.maximumDelay || delay <= .zero { break }
            delay = min(delay * 2, self.maximumDelay)
        }
        return delay * (1 - self.jitter * chance)
    }
}
