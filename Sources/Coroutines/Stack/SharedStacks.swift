// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

package import AsyncBridgeCore
package import CCoroutines
import Synchronization

/// The stacks of one size that no thread keeps: the lock around the free list, and the actions that follow from its
/// decisions.
package final class SharedStacks: Sendable {
    package typealias Block = UnsafeMutablePointer<ccoro_block>

    package let size: StackSize
    package let layout: StackLayout
    private let guards: StackGuards

    // Stacks are the addresses of their blocks.
    private let freeList = Mutex(StackFreeList<UInt>())

    package init(of size: StackSize, guardedBy guards: StackGuards = .shared, pageSize: Int = StackLayout.pageSize) {
        self.size = size
        self.layout = size.layout(pageSize: pageSize)
        self.guards = guards
    }

    // MARK: Acquiring

    package func acquire() throws(CoroutineError) -> Block {
        while true {
            switch self.freeList.withLock({ $0.acquire() }) {
            case .warm(let address):
                return unsafe Self.block(at: address)
            case .cold(let slab, let index, let memory):
                return unsafe self.makeBlock(slab, index, memory)
            case .fresh(let slab, let index, let memory):
                try self.makeGuard(slab, index, memory)
                return unsafe self.makeBlock(slab, index, memory)
            case .nothing(let count):
                try self.reserve(count)
            }
        }
    }

    private func makeGuard(_ slab: Int, _ index: Int, _ memory: UInt) throws(CoroutineError) {
        do throws(CoroutineError) {
            let low = unsafe Self.pointer(to: memory + UInt(index * self.layout.bytes))
            switch unsafe try self.guards.makeGuard(at: low, size: self.layout.guardBytes) {
            case .installed: break
            case .protected: self.freeList.withLock { $0.protected(slab: slab) }
            }
        } catch {
            self.freeList.withLock { $0.failed(slab: slab, index: index) }
            throw error
        }
    }

    private func makeBlock(_ slab: Int, _ index: Int, _ memory: UInt) -> Block {
        let low = memory + UInt(index * self.layout.bytes)
        let block = unsafe ccoro_block_of_stack(low, self.layout.bytes)
        let usableLow = low + UInt(self.layout.guardBytes)
        unsafe block.pointee.stack_low = Self.pointer(to: usableLow)
        unsafe block.pointee.stack_size = Int(UInt(bitPattern: block) - usableLow)
        unsafe block.pointee.size_class = self.size.sizeClass
        unsafe block.pointee.slab = UInt32(slab)
        unsafe block.pointee.stack_index = UInt32(index)
        return unsafe block
    }

    // Safe: the address is that of a block, which lies in memory that was reserved for it.
    private static func block(at address: UInt) -> Block {
        unsafe self.pointer(to: address).assumingMemoryBound(to: ccoro_block.self)
    }

    // Safe: the address lies in a slab.
    private static func pointer(to address: UInt) -> UnsafeMutableRawPointer {
        guard let pointer = unsafe UnsafeMutableRawPointer(bitPattern: address) else {
            preconditionFailure("BUG: a slab without an address")
        }
        return unsafe pointer
    }

    /// Reserves more address space.
    private func reserve(_ count: Int) throws(CoroutineError) {
        var error: CInt = 0
        // If address space is short, one stack may still fit.
        for count in [count, 1] {
            let bytes = count * self.layout.bytes
            var reserved: UnsafeMutableRawPointer?
            error = unsafe ccoro_reserve(bytes, &reserved)
            guard error == 0, let memory = unsafe reserved else { continue }
            error = self.freeList.withLock { freeList in
                let error = unsafe ccoro_faults_add(memory, bytes, self.layout.bytes, self.layout.guardBytes)
                if error == 0 { freeList.add(memory: UInt(bitPattern: memory), count: count) }
                return error
            }
            if error == 0 { return }
            unsafe Self.unreserve(memory, bytes)
        }
        throw .outOfMemory(errno: error)
    }

    // MARK: Releasing

    /// Takes back a list of stacks, linked by `next`.
    package func release(_ list: Block) {
        var addresses: [UInt] = []
        var rest: Block? = unsafe list
        while let block = unsafe rest {
            addresses.append(UInt(bitPattern: block))
            unsafe rest = block.pointee.next
        }
        // The list begins with the warmest, the free list ends with it.
        addresses.reverse()
        self.discard(self.freeList.withLock { $0.release(addresses) })
    }

    package func trim() { self.discard(self.freeList.withLock { $0.trim() }) }

    private static func unreserve(_ memory: UnsafeMutableRawPointer, _ bytes: Int) {
        // It was reserved with these bounds, so this fails only if the bookkeeping is wrong.
        let error = unsafe ccoro_unreserve(memory, bytes)
        precondition(error == 0, "BUG: a slab of stacks cannot be unmapped (errno \(error))")
    }

    /// Frees the memory of stacks, and slabs that are no longer needed.
    private func discard(_ addresses: [UInt]) {
        for address in addresses {
            let block = unsafe Self.block(at: address)
            let (slab, index) = unsafe (Int(block.pointee.slab), Int(block.pointee.stack_index))
            let low = unsafe block.pointee.stack_low
            // Locked memory stays; then the stack is cold in name only.
            _ = unsafe ccoro_discard(low, self.layout.usableBytes)
            let unneeded = self.freeList.withLock { freeList -> StackFreeList<UInt>.Slab? in
                guard let unneeded = freeList.cooled(slab: slab, index: index) else { return nil }
                unsafe ccoro_faults_remove(Self.pointer(to: unneeded.memory))
                return unneeded
            }
            guard let unneeded else { continue }
            unsafe Self.unreserve(Self.pointer(to: unneeded.memory), unneeded.count * self.layout.bytes)
            self.guards.returnMappings(ofStacks: unneeded.protectedCount)
        }
    }

    // MARK: Looking

    package var statistics: BridgeDiagnostics.StackStatistics {
        self.freeList.withLock { freeList in
            BridgeDiagnostics.StackStatistics(
                inUse: freeList.out,
                warm: freeList.warmCount,
                cold: freeList.room,
                reservedBytes: freeList.total * self.layout.bytes
            )
        }
    }
}
