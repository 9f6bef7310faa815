// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
import CCoroutines

extension BridgeDiagnostics {
    /// Whether waits are checked for accesses in progress; defaults to on in debug builds and off in others.
    ///
    /// ```swift
    /// BridgeDiagnostics.checksAccesses = true
    /// ```
    ///
    /// While code waits in the middle of an access, `inout` or `mutating`, of an actor's state, of a class's property
    /// or of a global variable, other code can change or free that memory: Swift's own checks find it only within one
    /// task. Each call site that does so is reported once, as a `Misuse` of kind `accessAcrossWait`, to
    /// `BridgeDiagnostics`; <doc:SynchronousCode> says what to do about it. A generator's `yield` is checked as well:
    /// the loop's body runs meanwhile.
    ///
    /// A reported access need not be a bug: perhaps no other code uses the object. Some accesses are not reported:
    /// those to local variables, which no other code can reach unless an escaping closure captures them; those that the
    /// compiler or the optimiser has proved exclusive; and any on a nearly full stack.
    ///
    /// When off, it costs one relaxed load for each wait. When on, each wait walks the list of accesses in progress. A
    /// generator's run keeps the setting with which it began. The check is always off if Swift's runtime keeps its list
    /// in an unknown way, or keeps none.
    ///
    /// Isolation: may be read and set on any thread.
    public static var checksAccesses: Bool {
        get { ccoro_checks_accesses() }
        set { _ = ccoro_set_checks_accesses(newValue) }
    }
}
