// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CCoroutines

#if COROUTINES_PLAIN_CALLS || _ptrauth(_arm64e) || !COROUTINES_WORD_CALLS && (compiler(>=6.4) || !canImport(Glibc))
import AsyncBridge
#else
public import AsyncBridge
#endif

// How an operation is passed from a coroutine to its driver without an allocation.
//
// The operation is a closure that does not escape: the code that made it stays where it is, suspended, for as long as
// the driver awaits it. But a non-escaping closure cannot be stored, and a wrapper that can costs three allocations:
// 382 ns a call instead of 55 (Benchmarks/README.md). So the two words that such a closure consists of are stored, and
// the driver calls, by its symbol, a function of another module with these words in place of the closure. There, the
// closure has another type: one that takes the address of its result and its actor.
//
// No compiler checks that. It rests on: a closure parameter is passed as two words, function and context; a closure of
// a generic type gets the address of its result as its first argument, and a `nonisolated(nonsending)` one its actor as
// the next. OperationCallTests tests every shape of result, in debug and release. The plain form below is built instead
// where those tests have not passed yet, with later compilers and on other systems, unless COROUTINES_WORD_CALLS is
// defined; and anywhere with COROUTINES_PLAIN_CALLS. On arm64e the words are never right: there a closure's pointer is
// signed for the closure's type, and called under another one it traps.

/// An operation that a coroutine waits for: on the coroutine's stack, for as long as it is suspended.
///
/// Safe: its words and pointers are used while the function that made it is suspended in it, and at no other time.
@safe @usableFromInline
struct OperationCall {
    #if COROUTINES_PLAIN_CALLS || _ptrauth(_arm64e) || !COROUTINES_WORD_CALLS && (compiler(>=6.4) || !canImport(Glibc))
    @usableFromInline let operation: nonisolated(nonsending) () async -> Void
    #else
    // Function and context; first, so that the address of the whole is also theirs.
    @usableFromInline var words: (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) = (nil, nil)
    @usableFromInline let result: UnsafeMutableRawPointer
    @usableFromInline var error: (any Error)?

    @inlinable
    init(result: UnsafeMutableRawPointer) { unsafe self.result = result }
    #endif
}

#if COROUTINES_PLAIN_CALLS || _ptrauth(_arm64e) || !COROUTINES_WORD_CALLS && (compiler(>=6.4) || !canImport(Glibc))

extension RunningCoroutine {
    /// Suspends until the driver has awaited an operation.
    ///
    /// - Parameters:
    ///   - undelivered: Gets the value if the coroutine is being unwound when it comes. Nothing can wait there.
    ///   - operation: The operation.
    /// - Returns: The value.
    /// - Throws: What it throws; `CancellationError` if the coroutine is being unwound, before or after.
    @usableFromInline
    func perform<Value>(
        undelivered: (consuming Disconnected<Value>) -> Void,
        _ operation: nonisolated(nonsending) () async throws -> sending Value
    ) throws -> sending Value {
        try self.checkUnwinding()
        var result: Disconnected<Result<Value, any Error>>?
        withoutActuallyEscaping(operation) { operation in
            var call = OperationCall {
                do { result = Disconnected(unchecked: .success(try await operation())) } catch {
                    result = Disconnected(unchecked: .failure(error))
                }
            }
            unsafe withUnsafeMutablePointer(to: &call) { unsafe self.suspend(during: $0) }
        }
        guard let result else { preconditionFailure("BUG: an operation ended without a result") }
        guard self.isUnwinding else { return try result.take().get() }
        if case .success(let value) = result.take() { undelivered(Disconnected(unchecked: value)) }
        throw CancellationError()
    }
}

extension OperationCall {
    /// Awaits an operation for the coroutine that waits for it.
    @inline(__always)
    nonisolated(nonsending) static func perform(for block: UnsafeMutablePointer<ccoro_block>) async {
        await unsafe self.pending(of: block).pointee.operation()
    }
}

#else

extension RunningCoroutine {
    /// Suspends until the driver has awaited an operation.
    ///
    /// - Parameters:
    ///   - undelivered: Gets the value if the coroutine is being unwound when it comes. Nothing can wait there.
    ///   - operation: The operation.
    /// - Returns: The value.
    /// - Throws: What it throws; `CancellationError` if the coroutine is being unwound, before or after.
    @inlinable @inline(__always)
    func perform<Value>(
        undelivered: (consuming Disconnected<Value>) -> Void,
        _ operation: nonisolated(nonsending) () async throws -> sending Value
    ) throws -> sending Value {
        try self.checkUnwinding()
        return try unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) {
            slot throws -> Disconnected<Value> in
            // An allocation of one element has an address.
            guard let result = slot.baseAddress else { preconditionFailure("BUG: no memory for a result") }
            // Safe: the slot and the call are this function's, which is suspended for as long as the driver has them.
            var call = unsafe OperationCall(result: UnsafeMutableRawPointer(result))
            unsafe withUnsafeMutablePointer(to: &call) { call in
                unsafe storeWords(of: operation, in: UnsafeMutableRawPointer(call))
                unsafe self.suspend(during: call)
                // Once more, for the compiler: it sees no call of the operation, but does not know what this function
                // does with it. So the operation and its captures live until here, and may have changed in between.
                unsafe storeWords(of: operation, in: UnsafeMutableRawPointer(call))
            }
            if let error = call.error {
                try self.checkUnwinding()
                throw error
            }
            let value = unsafe Disconnected(unchecked: result.move())
            guard self.isUnwinding else { return value }
            undelivered(value)
            throw CancellationError()
        }.take()
    }
}

extension OperationCall {
    /// Awaits an operation for the coroutine that waits for it.
    @inline(__always)
    nonisolated(nonsending) static func perform(for block: UnsafeMutablePointer<ccoro_block>) async {
        let call = unsafe self.pending(of: block)
        guard let function = unsafe call.pointee.words.0 else {
            preconditionFailure("BUG: an operation has no function")
        }
        do {
            try await unsafe callOut(function, call.pointee.words.1, call.pointee.result)
        } catch {
            unsafe call.pointee.error = error
            await self.goBack(to: #isolation)
        }
    }
}

extension OperationCall {
    /// Goes back to the coroutine's actor, where its operation has thrown.
    ///
    /// A `nonisolated(nonsending)` closure ends on its caller's actor. The optimiser of Swift 6.3.1 loses the way back
    /// where the closure throws what a function on another executor has thrown, and its caller trusts the closure. So
    /// without this the coroutine would go on beside its actor: OperationIsolationTests.
    @inline(never)
    private static func goBack(to isolation: isolated (any Actor)?) async {
        // A call that the optimiser does not see into. With nothing to do on the actor it would not go there.
        _ = CurrentTask.isCancelled
    }
}

/// `callOut` of the module CoroutineCalls, with the closure as its two words.
@_silgen_name("coroutinecalls_call_out")
private nonisolated(nonsending) func callOut(
    _ function: UnsafeMutableRawPointer,
    _ context: UnsafeMutableRawPointer?,
    _ result: UnsafeMutableRawPointer
) async throws

/// `ccoro_store_operation` of the module CCoroutines, which gets the closure as its two words.
@_silgen_name("ccoro_store_operation")
@usableFromInline
func storeWords<Value>(
    of operation: nonisolated(nonsending) () async throws -> Value,
    in destination: UnsafeMutableRawPointer
)

#endif

extension RunningCoroutine {
    /// Suspends until the driver has awaited an operation that returns nothing, so that nothing can be lost.
    ///
    /// - Throws: What it throws; `CancellationError` if the coroutine is being unwound, before or after.
    @inlinable @inline(__always)
    func perform(_ operation: nonisolated(nonsending) () async throws -> sending Void) throws {
        try self.perform(undelivered: { _ in }, operation)
    }
}

extension OperationCall {
    private static func pending(of block: UnsafeMutablePointer<ccoro_block>) -> UnsafeMutablePointer<OperationCall> {
        guard let call = unsafe block.pointee.operation else {
            preconditionFailure("BUG: a coroutine waits for no operation")
        }
        return unsafe call.assumingMemoryBound(to: OperationCall.self)
    }
}
