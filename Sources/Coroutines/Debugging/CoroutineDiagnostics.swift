// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CCoroutines

/// What is checked while coroutines run.
public enum CoroutineDiagnostics {
    /// Whether waits are checked for accesses that are in progress; on at first in debug builds, off in others.
    ///
    /// ```swift
    /// CoroutineDiagnostics.checksAccesses = true
    /// ```
    ///
    /// While code waits in the middle of an access, `inout` or `mutating`, of an actor's state, of a class's property
    /// or of a global variable, others can change or free that memory: Swift's own checks find it within one task only.
    /// Each place that does so is reported once, as a `Misuse` of kind `accessAcrossWait`, to `BridgeDiagnostics`;
    /// <doc:SynchronousCode> says what to do about it. A generator's `yield` is checked as well: the loop's body runs
    /// meanwhile.
    ///
    /// What is reported need not go wrong: nobody else may know of the object. Not reported are local variables, which
    /// nobody else can reach, unless a closure that escapes captures them; accesses that the compiler or the optimiser
    /// has proved to be alone; and, on a stack that is nearly full, all.
    ///
    /// Off, it costs one relaxed load for each wait. On, a walk along the list of accesses in progress for each wait. A
    /// generator's run that has begun keeps to what it began with. The check is off, whatever is set, where Swift's
    /// runtime keeps its list in an unknown way, or was told to keep none.
    ///
    /// Isolation: may be read and set on any thread.
    public static var checksAccesses: Bool {
        get { ccoro_checks_accesses() }
        set { _ = ccoro_set_checks_accesses(newValue) }
    }
}
