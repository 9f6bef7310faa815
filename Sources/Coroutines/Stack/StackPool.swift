// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import CCoroutines

/// Where coroutines get their stacks, each with its block at the top.
///
/// The thread's own cache comes first (C, no lock), then the shared stacks of that size.
///
/// Safe: a stack belongs to the code that acquired it, until it is released; free ones belong to one list at a time.
@usableFromInline
package enum StackPool {
    @usableFromInline package typealias Block = UnsafeMutablePointer<ccoro_block>

    /// Gets the warmest available stack.
    ///
    /// Only `stack_low`, `stack_size` and what the pool itself keeps in the block are set.
    ///
    /// - Complexity: O(1), amortised: a few nanoseconds from the thread's cache, a system call or two and a page fault
    ///   for a new one.
    @inlinable
    package static func acquire(_ size: StackSize) throws(CoroutineError) -> Block {
        if let block = unsafe ccoro_cache_pop(size.sizeClass) { return unsafe block }
        return unsafe try self.acquireShared(size)
    }

    /// Takes back a stack that control has left forever.
    ///
    /// Any thread may do that, not only the one that acquired the stack.
    ///
    /// - Complexity: O(1), amortised.
    @inlinable
    package static func release(_ block: Block) {
        if unsafe ccoro_cache_push(block) { return }
        unsafe self.releaseShared(block)
    }

    // MARK: Shared by all threads

    package static let shared = (0..<UInt8(CCORO_SIZE_CLASSES)).map { SharedStacks(of: StackSize(sizeClass: $0)) }

    @usableFromInline
    package static func acquireShared(_ size: StackSize) throws(CoroutineError) -> Block {
        unsafe ccoro_thread_begin { unsafe StackPool.flush($0) }
        let block = try unsafe self.shared[Int(size.sizeClass)].acquire()
        unsafe ccoro_sanitizer_stack_taken(block)
        return unsafe block
    }

    @usableFromInline
    package static func releaseShared(_ block: Block) {
        // A thread that only ends other threads' coroutines keeps some from now on.
        unsafe ccoro_thread_begin { unsafe StackPool.flush($0) }
        unsafe block.pointee.next = ccoro_cache_take_half(block.pointee.size_class)
        unsafe self.flush(block)
    }

    /// Frees the memory of free stacks of a size: this thread's and the shared ones.
    package static func trim(_ stacks: SharedStacks) {
        if let list = unsafe ccoro_cache_take_all(stacks.size.sizeClass) { unsafe stacks.release(list) }
        stacks.trim()
    }

    /// Takes back a list of stacks of one size.
    private static func flush(_ list: Block) { unsafe self.shared[Int(list.pointee.size_class)].release(list) }
}
