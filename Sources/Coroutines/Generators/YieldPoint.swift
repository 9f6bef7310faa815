// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
public import CCoroutines

/// Where the body of a generator hands over its elements: the state behind its yielder.
///
/// It may outlive the run that it belongs to, in a yielder that escaped. So it holds the bounds of the stack itself,
/// and looks at the control block only in code that runs on that stack.
///
/// Safe: see above for the pointer to the control block.
@safe @usableFromInline
final class YieldPoint {
    private let plan: GeneratorPlan

    // `@exclusivity(unchecked)`: a checked access costs as much as the rest of a yield, and each access is only one
    // load or store.
    @exclusivity(unchecked) @usableFromInline var block: UnsafeMutablePointer<ccoro_block>?
    /// The lowest address of the body's stack.
    @exclusivity(unchecked) @usableFromInline var stackLow: UInt = 0
    /// The size of the body's stack while the body may yield; otherwise, and if yields are to be checked, 0.
    @exclusivity(unchecked) @usableFromInline var openSize: UInt = 0
    /// The size of the body's stack while the body may yield and its yields are to be checked; otherwise 0.
    ///
    /// Why not a flag: without the check, a yield costs nothing extra.
    private var checkedSize: UInt = 0

    /// What the body threw.
    private var failure: (any Error)?
    /// How many times the body has yielded while it was unwound.
    private var refusals = 0

    init(plan: GeneratorPlan) { self.plan = plan }

    // MARK: The run's side

    func open(_ block: UnsafeMutablePointer<ccoro_block>) {
        unsafe self.block = block
        unsafe self.stackLow = UInt(bitPattern: block.pointee.stack_low)
        let size = unsafe UInt(block.pointee.stack_size)
        if ccoro_checks_accesses() { self.checkedSize = size } else { unsafe self.openSize = size }
    }

    /// Makes every further yield of the body fail.
    func close() {
        unsafe self.openSize = 0
        self.checkedSize = 0
    }

    /// Forgets the stack, which control has left forever.
    func leave() {
        self.close()
        unsafe self.block = nil
    }

    /// Runs a body to its end, on its own stack.
    static func runBody(_ context: UnsafeMutableRawPointer?) {
        guard let context = unsafe context else { preconditionFailure("BUG: a generator has no context") }
        // Safe: the run keeps the point, and lives until the body has returned or been given up.
        let point = unsafe Unmanaged<YieldPoint>.fromOpaque(context).takeUnretainedValue()
        do { try point.plan.body(point) } catch { point.failure = error }
    }

    func fail(_ error: any Error) { self.failure = error }

    func takeFailure() -> (any Error)? {
        defer { self.failure = nil }
        return self.failure
    }

    // MARK: The body's side

    /// The body's coroutine, if this code is part of it and it may yield.
    @inlinable @inline(__always)
    var openBlock: UnsafeMutablePointer<ccoro_block>? {
        guard unsafe ccoro_stack_position() &- self.stackLow < self.openSize, let block = unsafe self.block,
            unsafe ccoro_runs_in_its_task(block)
        else { return unsafe self.checkedBlock() }
        return unsafe block
    }

    /// The same, after the check, if yields are checked.
    @usableFromInline @inline(never)
    func checkedBlock() -> UnsafeMutablePointer<ccoro_block>? {
        guard unsafe ccoro_stack_position() &- self.stackLow < self.checkedSize, let block = unsafe self.block,
            unsafe ccoro_runs_in_its_task(block)
        else { return nil }
        unsafe AccessCheck.run(block, "a yield of the \(self.plan.bridge) made", at: self.plan.made)
        return unsafe block
    }

    /// Ends an invalid yield: reports why, and returns what the yield throws.
    ///
    /// A body that keeps yielding while it is unwound is abandoned, together with its stack.
    @usableFromInline @inline(never)
    func refuse() -> CancellationError {
        guard let block = unsafe self.block, unsafe self.isUnwound(block) else {
            self.report(
                .strayYield,
                "An element was yielded outside the generator's body and was dropped: after its end, on another "
                    + "thread, on the stack of another coroutine, or in another task. Yield in the body, and in "
                    + "functions that it calls."
            )
            return CancellationError()
        }
        self.refusals += 1
        if self.refusals == 1 {
            self.report(
                .unwindingSwallowed,
                "Its elements are no longer wanted, which 'yield' reports by throwing, but it went on and yielded "
                    + "again. Let the error of 'yield' end the body."
            )
        }
        if self.refusals >= YieldPoint.refusalLimit {
            unsafe ccoro_suspend(block, .park)
            preconditionFailure("BUG: an abandoned generator was resumed")
        }
        return CancellationError()
    }

    /// How many times a body may yield while it is unwound, before it is given up.
    static let refusalLimit = 1000

    private func isUnwound(_ block: UnsafeMutablePointer<ccoro_block>) -> Bool {
        // First the bounds, which are this object's own: outside them, the block may be gone.
        guard unsafe ccoro_stack_position() &- self.stackLow < UInt(bitPattern: block) &- self.stackLow else {
            return false
        }
        return unsafe block.pointee.is_unwinding && ccoro_runs_in_its_task(block)
    }

    private func report(_ kind: BridgeDiagnostics.Misuse.Kind, _ advice: String) {
        BridgeDiagnostics.report(
            BridgeDiagnostics.Misuse(kind: kind, bridge: "\(self.plan.bridge)", made: self.plan.made, advice: advice)
        )
    }
}
