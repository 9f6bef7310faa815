// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import CCoroutines

/// Where coroutines get their stacks, each with its block at the top.
///
/// The thread's own cache comes first (C, no lock), then the pool of the size, which all threads share.
@usableFromInline
enum StackPool {
    @usableFromInline typealias Block = UnsafeMutablePointer<ccoro_block>

    /// Gets a stack, the warmest that there is.
    ///
    /// Only `stack_low`, `stack_size` and what the pool itself keeps in the block are set.
    @inlinable
    static func acquire(_ size: StackSize) throws(CoroutineError) -> Block {
        if let block = unsafe ccoro_cache_pop(size.sizeClass) { return unsafe block }
        return unsafe try self.acquireShared(size)
    }

    /// Takes a stack back that control has left for good.
    @inlinable
    static func release(_ block: Block) {
        if unsafe ccoro_cache_push(block) { return }
        unsafe self.releaseShared(block)
    }

    // MARK: What all threads share

    static let shared = (0..<UInt8(CCORO_SIZE_CLASSES)).map { SharedStacks(of: StackSize(sizeClass: $0)) }

    private static func shared(of sizeClass: UInt8) -> SharedStacks { self.shared[Int(sizeClass)] }

    @usableFromInline
    static func acquireShared(_ size: StackSize) throws(CoroutineError) -> Block {
        unsafe ccoro_thread_begin { unsafe StackPool.flush($0) }
        return unsafe try self.shared(of: size.sizeClass).acquire()
    }

    @usableFromInline
    static func releaseShared(_ block: Block) {
        // A thread that only ends coroutines of others keeps some from now on.
        unsafe ccoro_thread_begin { unsafe StackPool.flush($0) }
        let sizeClass = unsafe block.pointee.size_class
        unsafe block.pointee.next = ccoro_cache_take_half(sizeClass)
        unsafe self.flush(block)
    }

    /// Takes back a list of stacks of one size.
    private static func flush(_ list: Block) { unsafe self.shared(of: list.pointee.size_class).release(list) }
}

/// The memory that stacks hold, for monitoring.
public enum CoroutineStacks {
    /// Numbers of stacks, all sizes together.
    public struct Statistics: Sendable, Hashable {
        /// In coroutines, or kept by a thread for the next one (at most 16 of a size each).
        public var inUse = 0

        /// Free, with the memory of their last use.
        public var warm = 0

        /// Free, without memory.
        public var cold = 0

        /// The address space that is reserved, in bytes.
        public var reservedBytes = 0
    }

    /// The numbers at this moment.
    ///
    /// - Complexity: O(number of mappings), some hundred for a million stacks.
    public static var statistics: Statistics {
        var sum = Statistics()
        for stacks in StackPool.shared {
            let own = stacks.statistics
            sum.inUse += own.inUse
            sum.warm += own.warm
            sum.cold += own.cold
            sum.reservedBytes += own.reservedBytes
        }
        return sum
    }

    /// Gives back the memory of all free stacks that no thread keeps.
    ///
    /// Seldom needed: as many free stacks stay warm as are in use, or 64, and the rest are given back as they come.
    ///
    /// - Complexity: O(*n*) in the number of warm stacks.
    public static func trim() { for stacks in StackPool.shared { stacks.trim() } }
}
