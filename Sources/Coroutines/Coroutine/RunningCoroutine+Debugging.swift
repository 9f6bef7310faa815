// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
public import CCoroutines

extension RunningCoroutine {
    /// Notes the coming wait if the coroutine is in the list, and checks the accesses in progress if the check is on.
    @inlinable @inline(__always)
    func note(_ wait: CoroutineWait, at site: CallSite) {
        if unsafe self.block.pointee.record != nil { self.list(wait, at: site) }
        if ccoro_checks_accesses() { self.checkAccesses(across: wait, at: site) }
    }

    @usableFromInline
    func list(_ wait: CoroutineWait, at site: CallSite) {
        guard let record = unsafe self.block.pointee.record else { return }
        // Safe: see `note(in:)`.
        unsafe Unmanaged<CoroutineRecord>.fromOpaque(record).takeUnretainedValue().note(.waiting(wait, site))
    }

    /// Reports the accesses that are in progress while the coroutine is about to wait.
    @usableFromInline @inline(never)
    func checkAccesses(across wait: CoroutineWait, at site: CallSite) {
        unsafe AccessCheck.run(self.block, "the wait for \(wait.rawValue)", at: site)
    }
}
