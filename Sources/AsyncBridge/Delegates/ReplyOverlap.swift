// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What a ``ReplySlot`` does with a caller that comes while another one is waiting.
@nonexhaustive
public enum ReplyOverlap: Sendable {
    /// All wait for the same reply; only the first one starts the work.
    case share

    /// One after the other, first come, first served: each starts its own work when its turn comes.
    case queue

    /// The newcomer gets ``BridgeFault/Code-swift.struct/slotBusy``. This is the default.
    case reject

    /// The newcomer starts its work, and the earlier one gets ``BridgeFault/Code-swift.struct/slotReplaced``.
    ///
    /// The earlier one's cancel action does not run: it would stop the newcomer's work, which may use the same manager.
    /// If it is already running, or the earlier one's `start` is, the newcomer waits until that has returned.
    case replace
}
