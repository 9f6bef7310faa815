// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import CCoroutines

/// Looks for accesses in progress when code is about to wait, and reports them.
enum AccessCheck {
    /// The maximum number of reports for a wait.
    private static let limit = 8

    /// The stack space needed for a report, and for a function's name in it, whose demangling is recursive.
    private static let (roomForReport, roomForName) = (8 << 10, 64 << 10)

    /// Reports the accesses that are in progress on a coroutine's stack.
    ///
    /// - Parameters:
    ///   - block: The coroutine, which runs on this thread.
    ///   - wait: What it is about to do, worded to go before "at" and the place.
    ///   - site: Where.
    @inline(never)
    static func run(_ block: UnsafeMutablePointer<ccoro_block>, _ wait: @autoclosure () -> String, at site: CallSite) {
        unsafe withUnsafeTemporaryAllocation(of: ccoro_access.self, capacity: self.limit) { found in
            // An allocation of several elements has an address.
            guard let first = found.baseAddress else { preconditionFailure("BUG: no memory for accesses") }
            var room = 0
            let count = unsafe ccoro_find_accesses(block, first, self.limit, &room)
            guard count > 0, room >= self.roomForReport else { return }
            for index in 0..<count {
                unsafe self.report(found[index], across: wait, at: site, withName: room >= self.roomForName)
            }
        }
    }

    private static func report(
        _ access: ccoro_access,
        across wait: () -> String,
        at site: CallSite,
        withName: Bool
    ) {
        let address = unsafe UInt(bitPattern: access.code)
        guard BridgeDiagnostics.wantsToHear(of: .accessAcrossWait, at: site, address: address) else { return }
        let code = unsafe self.describe(access.code, withName: withName)
        let does = unsafe access.modifies ? "modifies" : "reads"
        var misuse = BridgeDiagnostics.Misuse(
            kind: .accessAcrossWait,
            bridge: wait(),
            made: site,
            advice: "Code around it, \(code), \(does) memory of an actor, an object or a global variable, which others "
                + "can change or free meanwhile. End the access before the wait: copy the value out, store it back "
                + "afterwards."
        )
        misuse.address = address
        // The handler is the user's: it must not wait in this coroutine, whose own wait may have begun.
        let current = unsafe ccoro_exchange_current(nil)
        BridgeDiagnostics.report(misuse)
        unsafe ccoro_exchange_current(current)
    }

    private static func describe(_ code: UnsafeRawPointer?, withName: Bool) -> String {
        let size = withName ? 1024 : 256
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { text in
            guard let start = text.baseAddress else { preconditionFailure("BUG: no memory for a text") }
            // Safe: it is zero-terminated, within its size.
            unsafe ccoro_describe_code(code, withName, start, size)
            return unsafe String(cString: start)
        }
    }
}
