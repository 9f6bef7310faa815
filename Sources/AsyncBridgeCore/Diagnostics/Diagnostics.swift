// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The wording of this module's own reports.
enum Diagnostics {
    static func reportDrop(_ bridge: StaticString, made: CallSite) {
        BridgeDiagnostics.report(
            BridgeDiagnostics.Misuse(
                kind: .droppedCallback,
                bridge: "\(bridge)",
                made: made,
                advice: "Its last reference was released, and the wait ended with an error. Answer on every path, "
                    + "early returns and failures included."
            )
        )
    }

    static func reportDuplicate(_ bridge: StaticString, made: CallSite, first: CallSite?, second: CallSite) {
        // A handler has one location, where it was made: that says nothing about its caller.
        let advice =
            first == second
            ? "The first answer was delivered and this one refused. One handler was called twice: look in the API for "
                + "a missing 'return' after an error, or for one that calls back many times; then use CallbackSequence."
            : "The first answer was delivered and this one refused. Look for a missing 'return' after an error, or use "
                + "CallbackSequence for an API that calls back many times."
        BridgeDiagnostics.report(
            BridgeDiagnostics.Misuse(
                kind: .duplicateAnswer,
                bridge: "\(bridge)",
                made: made,
                involved: (first.map { [$0] } ?? []) + [second],
                advice: advice
            )
        )
    }
}
