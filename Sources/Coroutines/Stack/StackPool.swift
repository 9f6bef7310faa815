// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import CCoroutines

/// Placeholder: one heap block per stack, no guard.
@usableFromInline
enum StackPool {
    @usableFromInline
    static func acquire(_ size: StackSize) throws(CoroutineError) -> UnsafeMutablePointer<ccoro_block> {
        let low = UnsafeMutableRawPointer.allocate(byteCount: size.bytes, alignment: 4096)
        let blockSize = (MemoryLayout<ccoro_block>.stride + 63) & ~63
        let block = unsafe (low + size.bytes - blockSize).bindMemory(to: ccoro_block.self, capacity: 1)
        unsafe block.pointee.stack_low = low
        unsafe block.pointee.stack_size = size.bytes - blockSize
        return unsafe block
    }

    @usableFromInline
    static func release(_ block: UnsafeMutablePointer<ccoro_block>) {
        unsafe block.pointee.stack_low.deallocate()
    }
}
