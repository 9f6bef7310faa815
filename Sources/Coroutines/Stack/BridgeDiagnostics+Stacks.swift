// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import AsyncBridge
import CCoroutines

// The memory held by stacks, for monitoring.

extension BridgeDiagnostics {
    /// Numbers of coroutines' stacks, all sizes together.
    ///
    /// Exact while no coroutine starts or ends, and no thread that ran coroutines ends.
    public struct StackStatistics: Sendable, Hashable {
        /// In coroutines that have not ended.
        public var inUse = 0

        /// Free, with the memory of their last use.
        public var warm = 0

        /// Free, without memory: only address space, and a guard if they were used before.
        public var cold = 0

        /// The reserved address space, in bytes.
        public var reservedBytes = 0
    }

    /// The numbers of coroutines' stacks at this moment.
    ///
    /// Free stacks are kept for the next coroutine, first by the thread that freed them, then in a list shared by all
    /// threads. There, as many of a size stay warm as are in use, or 64 if that is more; beyond that, the stacks that
    /// were unused longest lose their memory, and all unused slabs but one of a size are unmapped. So memory follows
    /// use automatically, down as well as up.
    ///
    /// A thread keeps at most 64 stacks of a size, and at most 4 MiB of address space, or two stacks if these are
    /// larger. It returns them when it ends.
    ///
    /// Each stack has a guard at its low end. On Linux before 6.13 a guard takes mappings of the process, and there may
    /// be 24,574 stacks at once by default, free ones included: ``CoroutineError/tooManyMappings(limit:)`` has the
    /// details. From 6.13 on the limit is memory.
    ///
    /// ```swift
    /// print(BridgeDiagnostics.stacks.inUse, "coroutines run or wait")
    /// ```
    ///
    /// - Complexity: O(*t*) in the number of threads that run coroutines.
    public static var stacks: StackStatistics {
        var sum = StackStatistics()
        for stacks in StackPool.shared {
            let own = stacks.statistics
            let kept = Int(ccoro_cache_count_of_all_threads(stacks.size.sizeClass))
            sum.inUse += own.inUse - kept
            sum.warm += own.warm + kept
            sum.cold += own.cold
            sum.reservedBytes += own.reservedBytes
        }
        return sum
    }

    /// Frees the memory of all free stacks, except those that other threads keep.
    ///
    /// Rarely needed: see ``stacks``. Call it before a long idle time.
    ///
    /// - Complexity: O(*n*) in the number of stacks that are freed: a microsecond each.
    public static func trimStacks() {
        for stacks in StackPool.shared { StackPool.trim(stacks) }
    }
}
