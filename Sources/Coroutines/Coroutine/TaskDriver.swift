// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
public import CCoroutines

/// Runs a coroutine within the current task: the driver awaits what the coroutine waits for.
///
/// Safe: it has the stack for itself, from `init` to ``release()``.
@safe @usableFromInline
struct TaskDriver {
    @usableFromInline let block: UnsafeMutablePointer<ccoro_block>

    /// The coroutine's entry in the list, if that is switched on.
    @usableFromInline let record: CoroutineRecord?

    @inlinable
    init(stackSize: StackSize, name: StaticString?, started: CallSite) throws(CoroutineError) {
        unsafe self.block = try StackPool.acquire(stackSize, for: started)
        self.record = CoroutineRecord.begin(name: name, started: started)
    }

    /// Gives the stack back.
    @inlinable
    func release() { unsafe StackPool.release(self.block) }

    /// Drives the coroutine, which already has its body, to its end.
    @usableFromInline
    nonisolated(nonsending) func drive() async {
        unsafe ccoro_prepare(self.block)
        unsafe ccoro_note_task(self.block)
        if let record = self.record { unsafe record.note(in: self.block) }
        defer { self.record?.end() }
        while true {
            self.record?.note(.running)
            unsafe ccoro_resume_in_task(self.block)
            switch unsafe self.block.pointee.request {
            case .finished:
                return
            case .operation:
                await unsafe OperationCall.perform(for: self.block)
            case .yield:
                self.record?.note(.yielding)
                await Task.yield()
            case .none, .park, .callback, .element:
                preconditionFailure("BUG: a coroutine made a request that its task does not serve")
            }
        }
    }
}

#if COROUTINES_PLAIN_CALLS || _ptrauth(_arm64e) || !COROUTINES_WORD_CALLS && (compiler(>=6.4) || !canImport(Glibc))

extension TaskDriver {
    /// Runs the code to its end.
    @usableFromInline
    nonisolated(nonsending) func run(_ body: () -> Void) async { await self.run(isolation: #isolation, body) }

    // Why not in one function: only an `isolated` parameter shows the compiler that the body, made escaping, stays on
    // its actor.
    private func run(isolation: isolated (any Actor)?, _ body: () -> Void) async {
        await withoutActuallyEscaping(body) { body in
            // A closure that captures the actor runs on it.
            _ = isolation
            let body = EscapingBody(run: body)
            // Safe: the object lives until the coroutine has ended.
            unsafe self.block.pointee.body = ccoro_closure(
                function: { unsafe EscapingBody.run($0) },
                context: Unmanaged.passUnretained(body).toOpaque()
            )
            await self.drive()
            withExtendedLifetime(body) {}
        }
    }
}

/// A closure that C can call.
private final class EscapingBody {
    private let run: () -> Void

    init(run: @escaping () -> Void) { self.run = run }

    static func run(_ context: UnsafeMutableRawPointer?) {
        guard let context = unsafe context else { preconditionFailure("BUG: a coroutine has no context") }
        // Safe: the driver keeps it alive.
        unsafe Unmanaged<EscapingBody>.fromOpaque(context).takeUnretainedValue().run()
    }
}

#else

extension TaskDriver {
    /// Runs the code to its end.
    @inlinable
    nonisolated(nonsending) func run(_ body: () -> Void) async {
        unsafe storeWords(of: body, in: self.block)
        await self.drive()
        // Once more, for the compiler; see `RunningCoroutine.perform`.
        unsafe storeWords(of: body, in: self.block)
    }
}

/// `ccoro_store_body` of the module CCoroutines, which gets the closure as its two words.
///
/// `ccoro_begin` calls it with them. It does not escape: it stays with the caller, which waits until the coroutine
/// ends.
@_silgen_name("ccoro_store_body")
@usableFromInline
func storeWords(of body: () -> Void, in block: UnsafeMutablePointer<ccoro_block>)

#endif
