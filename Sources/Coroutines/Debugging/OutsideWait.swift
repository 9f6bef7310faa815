// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge

/// What becomes of a wait outside a coroutine, where nothing can suspend.
@usableFromInline
enum OutsideWait {
    /// Reports the wait, because its error is easily lost: a requirement that cannot throw swallows it.
    ///
    /// - Parameters:
    ///   - wait: What the code was about to wait for.
    ///   - site: Where.
    /// - Returns: What the wait throws.
    @usableFromInline @inline(never)
    static func refuse(_ wait: CoroutineWait, at site: CallSite) -> CoroutineError {
        // Such code may be called for each comparison of a sort.
        if BridgeDiagnostics.wantsToHear(of: .waitedOutsideCoroutine, at: site, address: 0) {
            BridgeDiagnostics.report(
                BridgeDiagnostics.Misuse(
                    kind: .waitedOutsideCoroutine,
                    bridge: "the wait for \(wait.rawValue)",
                    made: site,
                    advice: "Nothing can wait there. It threw 'CoroutineError.outsideCoroutine', which 'try?' hides. "
                        + "Run the code in 'try await withCoroutine { … }' or 'scheduler.startCoroutine { … }'. If it "
                        + "may run elsewhere, too, ask 'Coroutine.isInsideCoroutine' first."
                )
            )
        }
        return .outsideCoroutine
    }
}
