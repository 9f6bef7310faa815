// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
public import CCoroutines

/// Runs a coroutine within the current task: what the coroutine waits for, the driver awaits.
///
/// Safe: it has the stack for itself, from `init` to ``release()``.
@safe @usableFromInline
struct TaskDriver {
    @usableFromInline let block: UnsafeMutablePointer<ccoro_block>

    /// The coroutine's entry in the list, if that is switched on.
    @usableFromInline let record: CoroutineRecord?

    @inlinable
    init(stackSize: StackSize, name: StaticString?, started: CallSite) throws(CoroutineError) {
        unsafe self.block = try StackPool.acquire(stackSize)
        self.record = CoroutineRecord.begin(name: name, started: started)
    }

    /// Gives the stack back.
    @inlinable
    func release() { unsafe StackPool.release(self.block) }

    /// Runs the code to its end.
    @inlinable
    nonisolated(nonsending) func run(_ body: () -> Void) async {
        unsafe storeWords(of: body, in: self.block)
        await self.drive()
    }

    @usableFromInline
    nonisolated(nonsending) func drive() async {
        unsafe ccoro_prepare(self.block)
        unsafe self.block.pointee.task = swift_task_getCurrent()
        if let record = self.record { unsafe record.note(in: self.block) }
        defer { self.record?.end() }
        while true {
            self.record?.note(.running)
            unsafe ccoro_resume(self.block)
            switch unsafe self.block.pointee.request {
            case .finished:
                return
            case .operation:
                await unsafe OperationCall.perform(for: self.block)
            case .yield:
                self.record?.note(.yielding)
                await Task.yield()
            case .none, .park, .element:
                preconditionFailure("BUG: a task cannot do what its coroutine asks for")
            }
        }
    }
}

/// `ccoro_store_body` of the module CCoroutines, which gets the closure as its two words.
///
/// `ccoro_begin` calls it with them. It does not escape: it stays with the caller, who waits until the coroutine ends.
@_silgen_name("ccoro_store_body")
@usableFromInline
func storeWords(of body: () -> Void, in block: UnsafeMutablePointer<ccoro_block>)
