// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CCoroutines

/// The memory that stacks hold, for monitoring.
///
/// Free stacks wait for the next coroutine, first at the thread that freed them, then where all threads find them.
/// There, as many of a size stay warm as are out, or 64 if that is more; the coldest beyond that lose their memory, and
/// slabs without use are unmapped, but for one of a size. So memory follows use, down as well as up, without anybody's
/// doing.
///
/// A thread keeps at most 64 stacks of a size, and at most 4 MiB of address space, or two stacks. It hands them back
/// when it ends.
///
/// Each stack has a guard at its low end. On Linux before 6.13 a guard takes mappings of the process, and there may be
/// 24,574 stacks at once by default, free ones included: ``CoroutineError/tooManyMappings(limit:)`` has the details.
/// From 6.13 on the limit is memory.
///
/// ```swift
/// print(CoroutineStacks.statistics.inUse, "coroutines run or wait")
/// ```
public enum CoroutineStacks {
    /// Numbers of stacks, all sizes together.
    ///
    /// Exact while no coroutine starts or ends, and no thread that ran coroutines ends.
    public struct Statistics: Sendable, Hashable {
        /// In coroutines that have not ended.
        public var inUse = 0

        /// Free, with the memory of their last use.
        public var warm = 0

        /// Free, without memory: only address space, and a guard if they were used before.
        public var cold = 0

        /// The address space that is reserved, in bytes.
        public var reservedBytes = 0
    }

    /// The numbers at this moment.
    ///
    /// - Complexity: O(*t*) in the number of threads that run coroutines.
    public static var statistics: Statistics {
        var sum = Statistics()
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

    /// Gives back the memory of all free stacks, but for those that other threads keep.
    ///
    /// Seldom needed: see above. Call it before a long rest.
    ///
    /// - Complexity: O(*n*) in the number of stacks that are given back: a microsecond each.
    public static func trim() {
        for stacks in StackPool.shared { StackPool.trim(stacks) }
    }
}
