// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

/// The header `Retry-After`: seconds, or a date.
enum RetryAfter {
    /// Reads the header's value.
    ///
    /// - Parameters:
    ///   - text: The value.
    ///   - now: The time, to which a date is compared.
    /// - Returns: How long to wait, never less than nothing; nil if the text is neither.
    static func delay(_ text: String, now: Date) -> Duration? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // Digits that make no number are too many: forever, as far as anybody here is concerned.
            return .seconds(min(Int(text) ?? .max, self.longest))
        }
        // A formatter of its own each time: it is rare, and formatters are not for sharing.
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        guard let date = formatter.date(from: text) else { return nil }
        return .seconds(min(max(date.timeIntervalSince(now), 0), Double(self.longest)))
    }

    /// A year, in seconds.
    private static let longest = 366 * 24 * 60 * 60
}
