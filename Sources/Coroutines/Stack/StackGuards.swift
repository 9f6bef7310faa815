// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CCoroutines
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// Makes the guards of stacks, and counts the mappings that they take.
///
/// Linux has guards without mappings since 6.13. Before, each guarded stack takes two mappings, its guard and the rest,
/// and a process may have 65,530 (`vm.max_map_count`). When they are used up, `mmap` fails everywhere: no thread
/// starts, no library loads, and `malloc` fails. So guards take at most three quarters, and the rest of the process
/// keeps a quarter.
package final class StackGuards: Sendable {
    /// How a range of pages is guarded: touching it ends the process.
    package enum Kind: Sendable, CaseIterable {
        /// By `MADV_GUARD_INSTALL` if the kernel has it, otherwise by `mprotect`.
        case automatic
        /// By `MADV_GUARD_INSTALL`: needs no mappings.
        case install
        /// By `mprotect`: two mappings for each stack.
        case protect
    }

    /// How a guard was made.
    package enum Guard: Sendable {
        /// It takes no mappings.
        case installed
        /// It takes two; call ``returnMappings(ofStacks:)`` when they are unmapped.
        case protected
    }

    /// The guards of the process.
    package static let shared = StackGuards(mappingLimit: Int(clamping: ccoro_mapping_limit()))

    package let kind: Kind
    /// How many mappings the process may have.
    package let mappingLimit: Int
    /// How many stacks may be guarded by `mprotect` at once.
    package let protectedLimit: Int
    private let protectedCount = Atomic(0)

    package init(kind: Kind = .automatic, mappingLimit: Int) {
        self.kind = kind
        self.mappingLimit = mappingLimit
        self.protectedLimit = Self.protectedLimit(mappingLimit: mappingLimit)
    }

    /// How many stacks may be guarded by `mprotect`, in a process with this limit of mappings.
    package static func protectedLimit(mappingLimit: Int) -> Int { (mappingLimit - mappingLimit / 4) / 2 }

    /// Guards a range of pages.
    ///
    /// - Throws: ``CoroutineError/tooManyMappings(limit:)`` if guards have taken their share;
    ///   ``CoroutineError/outOfMemory(errno:)``.
    package func makeGuard(at low: UnsafeMutableRawPointer, size: Int) throws(CoroutineError) -> Guard {
        // Safe, here and below: the pages are those of a stack that nobody uses yet.
        if self.kind != .protect {
            let error = unsafe ccoro_guard_install(low, size)
            if error == 0 { return .installed }
            guard error == ENOTSUP, self.kind == .automatic else { throw .outOfMemory(errno: error) }
        }
        // Race: more threads than there is room for may count themselves for a moment; all of those are refused.
        guard self.protectedCount.add(1, ordering: .relaxed).newValue <= self.protectedLimit else {
            self.returnMappings(ofStacks: 1)
            throw .tooManyMappings(limit: self.mappingLimit)
        }
        let error = unsafe ccoro_guard_protect(low, size)
        guard error == 0 else {
            self.returnMappings(ofStacks: 1)
            // Other code in the process has taken more than a quarter.
            if error == ENOMEM { throw .tooManyMappings(limit: self.mappingLimit) }
            throw .outOfMemory(errno: error)
        }
        return .protected
    }

    /// Stacks that were guarded by `mprotect` are no longer mapped.
    package func returnMappings(ofStacks count: Int) { self.protectedCount.subtract(count, ordering: .relaxed) }
}
