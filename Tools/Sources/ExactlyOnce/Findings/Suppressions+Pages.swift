// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension Suppressions {
    /// What `explain` says of wrong comments.
    package static let pages = [
        RulePage(
            id: "stale-ignore",
            summary: "A comment silences a finding that is not there.",
            levels: "warning",
            why: """
                The code was repaired, or the finding is now on another line. A comment that is left would silence the
                next mistake at this place.
                """,
            bad: """
                // asyncbridge:ignore[double-delivery] the caller counts
                completion()
                """,
            good: """
                completion()
                """,
            instead: """
                // A callback that is called twice is reported, with both places: no comment is needed.
                try await withCallback { callback in client.get(completion: callback.handler()) }
                """,
            limits: "A comment for what only another profile finds is not stale."
        ),
        RulePage(
            id: "bad-ignore",
            summary: "A comment that is to silence a finding names no rule, an unknown one, or no reason.",
            levels: "warning",
            why: """
                Such a comment silences nothing. Without a rule it would silence too much, and without a reason nobody
                could tell later whether it still holds.
                """,
            bad: """
                completion()  // asyncbridge:ignore[double-delivery]
                """,
            good: """
                completion()  // asyncbridge:ignore[double-delivery] the caller counts
                """,
            instead: """
                // Says that the handler is deliberately not called on this path.
                _ = completion
                """,
            limits: "Whether the reason is a good one, only people see."
        ),
    ]
}
