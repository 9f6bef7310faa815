// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import CCoroutines
import Coroutines
import Foundation
import Testing

/// Every size, in bytes as asked for.
private let nominalSizes = (0..<Int(CCORO_SIZE_CLASSES)).map { (32 << 10) << $0 }

@Suite("StackLayout: the guard and the rest", .timeLimit(.minutes(10)))
struct StackLayoutTests {
    @Test(arguments: [4096, 16384, 65536], nominalSizes)
    func `holds for every size`(_ pageSize: Int, _ nominalBytes: Int) {
        let layout = StackLayout(nominalBytes: nominalBytes, pageSize: pageSize)
        #expect(layout.guardBytes >= pageSize)
        #expect(layout.guardBytes.isMultiple(of: pageSize), "only whole pages can be guarded")
        #expect(layout.guardBytes >= min(nominalBytes / 16, 65536))
        #expect(layout.bytes.isMultiple(of: pageSize), "the next stack's guard would begin within a page")
        #expect(layout.bytes >= nominalBytes)
        #expect(layout.usableBytes >= nominalBytes / 4 * 3, "too little is left for the code")
        // No more than that needs.
        #expect(layout.bytes < max(nominalBytes + pageSize, layout.guardBytes + nominalBytes / 4 * 3 + pageSize))
    }

    @Test(arguments: [4096, 16384, 65536])
    func `grows with the size`(_ pageSize: Int) {
        let usable = nominalSizes.map { StackLayout(nominalBytes: $0, pageSize: pageSize).usableBytes }
        #expect(usable == usable.sorted())
    }

    @Test(arguments: [
        (32, 4, 32, 4), (64, 4, 64, 4), (256, 4, 256, 16), (8192, 4, 8192, 64),
        (32, 16, 48, 16), (64, 16, 64, 16), (256, 16, 256, 16),
        (32, 64, 128, 64), (64, 64, 128, 64), (128, 64, 192, 64), (256, 64, 256, 64),
    ])
    func `is as documented`(_ nominal: Int, _ page: Int, _ all: Int, _ guarded: Int) {
        let layout = StackLayout(nominalBytes: nominal << 10, pageSize: page << 10)
        #expect(layout.bytes == all << 10)
        #expect(layout.guardBytes == guarded << 10)
    }

    /// Larger pages are whole numbers of those that there are.
    @Test(arguments: [16384, 65536], [32, 64, 128, 256])
    func `can be used with larger pages`(_ pageSize: Int, _ kibibytes: Int) throws {
        let stacks = SharedStacks(
            of: StackSize(kibibytes: kibibytes),
            guardedBy: StackGuards(mappingLimit: 65530),
            pageSize: pageSize
        )
        let blocks = try (0..<20).map { _ in try stacks.acquire() }
        for block in blocks {
            #expect(block.pointee.stack_size > kibibytes * 768 - 1024)
            memset(block.pointee.stack_low, 0x5A, block.pointee.stack_size)
        }
        let lows = blocks.map { UInt(bitPattern: $0.pointee.stack_low) }.sorted()
        for (low, next) in zip(lows, lows.dropFirst()) { #expect(next - low >= UInt(stacks.layout.bytes)) }
        for block in blocks {
            #expect(block.pointee.stack_low.load(as: UInt8.self) == 0x5A)
            block.pointee.next = nil
            stacks.release(block)
        }
    }
}
