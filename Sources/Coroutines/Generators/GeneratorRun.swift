// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import CCoroutines

/// One run of a generator's body, owned by the code that iterates.
///
/// | State     | `phase`  | `suspended` | The stack is used by       | Next                       |
/// |-----------|----------|-------------|----------------------------|----------------------------|
/// | made      | `.made`  | nil         | none; there is none yet    | running, ended             |
/// | running   | `.begun` | nil         | the body                   | suspended, ended           |
/// | suspended | `.begun` | the block   | the body, inside a `yield` | running                    |
/// | ended     | `.ended` | nil         | none; it is in the pool    | none                       |
///
/// Invariant: the stack is released after the body has returned from its last step, and never while the body may run.
///
/// Safe: see the table for the pointer to the control block.
@safe @usableFromInline
final class GeneratorRun {
    private enum Phase {
        case made
        case begun
        case ended
    }

    private let plan: GeneratorPlan
    let point: YieldPoint
    private var phase = Phase.made

    // `@exclusivity(unchecked)`: as in `YieldPoint`.
    @exclusivity(unchecked) @usableFromInline var suspended: UnsafeMutablePointer<ccoro_block>?

    @usableFromInline
    init(_ plan: GeneratorPlan) {
        self.plan = plan
        self.point = YieldPoint(plan: plan)
    }

    // The iterator was dropped: the body ends here and now.
    deinit {
        guard let block = unsafe self.suspended else { return }
        unsafe self.unwind(block)
        guard let error = self.takeFailure(), !(error is CancellationError) else { return }
        self.plan.report(error)
    }

    /// Runs the body up to its next `yield`.
    ///
    /// The body runs as part of the code that iterates: if it waits, that code's coroutine waits. So control may be on
    /// another thread when this returns.
    ///
    /// - Returns: The address of the element, which the caller must move out before the next step; `nil` at the end.
    @inlinable @inline(__always)
    func advance() -> UnsafeMutableRawPointer? {
        guard let block = unsafe self.suspended ?? self.begun() else { return nil }
        unsafe self.suspended = nil
        unsafe ccoro_resume_in_place(block)
        guard unsafe block.pointee.request == .element else {
            unsafe self.end(block)
            return nil
        }
        unsafe self.suspended = block
        return unsafe block.pointee.operation
    }

    /// The coroutine of a body that is not suspended: a new one for the first step, none after the last.
    @usableFromInline @inline(never)
    func begun() -> UnsafeMutablePointer<ccoro_block>? {
        switch self.phase {
        case .made:
            break
        case .begun:
            // Not a precondition: its text would be missing in release builds.
            fatalError(
                "'next()' of the \(self.plan.bridge) made at \(self.plan.made) was called while its body was running: "
                    + "by the body itself, or by a second user of the same iterator. Give each of them its own "
                    + "iterator."
            )
        case .ended:
            return nil
        }
        do {
            let block = try unsafe StackPool.acquire(self.plan.stackSize, for: self.plan.made)
            self.phase = .begun
            unsafe ccoro_prepare(block)
            // Not retained: this object keeps it, and outlives the body's last step.
            unsafe block.pointee.body = ccoro_closure(
                function: { unsafe YieldPoint.runBody($0) },
                context: Unmanaged.passUnretained(self.point).toOpaque()
            )
            unsafe self.point.open(block)
            return unsafe block
        } catch {
            self.phase = .ended
            self.point.fail(error)
            return nil
        }
    }

    /// Releases the stack, unless the body was given up on it.
    @usableFromInline @inline(never)
    func end(_ block: UnsafeMutablePointer<ccoro_block>) {
        self.phase = .ended
        self.point.leave()
        switch unsafe block.pointee.request {
        case .finished: unsafe StackPool.release(block)
        // Its frames are never left: the stack is leaked.
        case .park: break
        case .none, .operation, .yield, .callback, .element:
            preconditionFailure("BUG: a generator made a request that its driver does not serve")
        }
    }

    /// Ends a suspended body: its `yield` throws, and so does every wait.
    func unwind(_ block: UnsafeMutablePointer<ccoro_block>) {
        unsafe self.suspended = nil
        self.point.close()
        unsafe block.pointee.is_unwinding = true
        unsafe block.pointee.is_cancelled = true
        // Not in place: a wait in the body must now find this coroutine, which is cancelled, and not the one around it.
        unsafe ccoro_resume(block)
        unsafe self.end(block)
    }

    /// Ends a run whose body has not begun.
    ///
    /// - Returns: Whether it had not begun.
    func abandonIfNotBegun() -> Bool {
        guard case .made = self.phase else { return false }
        self.phase = .ended
        return true
    }

    /// What the body threw, once.
    func takeFailure() -> (any Error)? { self.point.takeFailure() }

    /// Reports what the body threw, for an iterator that cannot throw.
    @usableFromInline @inline(never)
    func reportFailure() {
        guard let error = self.takeFailure() else { return }
        self.plan.report(error)
    }

    /// Throws what the body threw, once.
    @usableFromInline @inline(never)
    func throwFailure() throws {
        if let error = self.takeFailure() { throw error }
    }
}
