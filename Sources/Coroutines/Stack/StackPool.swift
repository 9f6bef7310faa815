// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import CCoroutines

/// Where coroutines get their stacks, each with its block at the top.
///
/// The thread's own cache comes first (C, no lock), then the stacks of the size that all threads share.
///
/// Safe: a stack belongs to whoever acquired it, until it is released; free ones belong to one list at a time.
@usableFromInline
enum StackPool {
    @usableFromInline typealias Block = UnsafeMutablePointer<ccoro_block>

    /// Gets a stack, the warmest that there is.
    ///
    /// Only `stack_low`, `stack_size` and what the pool itself keeps in the block are set.
    ///
    /// - Complexity: O(1), amortised: a few nanoseconds from the thread's cache, a system call or two and a page fault for
    ///   a new one.
    @inlinable
    static func acquire(_ size: StackSize) throws(CoroutineError) -> Block {
        guard let block = unsafe ccoro_cache_pop(size.sizeClass), unsafe !ccoro_is_sanitized else {
            return unsafe try self.acquireShared(size)
        }
        return unsafe block
    }

    /// Takes a stack back that control has left for good.
    ///
    /// Any thread may do that, whoever acquired the stack.
    ///
    /// - Complexity: O(1), amortised.
    @inlinable
    static func release(_ block: Block) {
        if unsafe !ccoro_is_sanitized && ccoro_cache_push(block) { return }
        unsafe self.releaseShared(block)
    }
}
