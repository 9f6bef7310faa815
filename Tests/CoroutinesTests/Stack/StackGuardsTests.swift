// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import CCoroutines
import Coroutines
import Foundation
import Testing

private typealias Block = UnsafeMutablePointer<ccoro_block>

/// Acquires stacks until there are no more.
private func acquireAll(_ stacks: SharedStacks) -> (blocks: [Block], error: CoroutineError) {
    var blocks: [Block] = []
    do throws(CoroutineError) {
        while true { blocks.append(try stacks.acquire()) }
    } catch {
        return (blocks, error)
    }
}

private func release(_ blocks: [Block], to stacks: SharedStacks) {
    for block in blocks {
        block.pointee.next = nil
        stacks.release(block)
    }
}

/// Whether a thread can be started, and ends.
private func canStartAThread() -> Bool {
    #if canImport(Glibc)
    var thread = pthread_t()
    #else
    var thread: pthread_t!
    #endif
    return pthread_create(&thread, nil, { _ in nil }, nil) == 0 && pthread_join(thread, nil) == 0
}

@Suite("StackGuards: the mappings that guards take", .timeLimit(.minutes(10)))
struct StackGuardsTests {
    @Test(arguments: [(65530, 24574), (1_048_576, 393_216), (4, 1), (0, 0)])
    func `leaves a quarter to the process`(_ limit: Int, _ stacks: Int) {
        #expect(StackGuards.protectedLimit(mappingLimit: limit) == stacks)
    }

    #if os(Linux)
    @Test func `knows the limit of the system`() throws {
        let text = try String(contentsOfFile: "/proc/sys/vm/max_map_count", encoding: .utf8)
        #expect(text.trimmingCharacters(in: .whitespacesAndNewlines) == "\(StackGuards.shared.mappingLimit)")
    }
    #endif

    @Test func `refuses stacks beyond the share`() throws {
        let stacks = SharedStacks(
            of: StackSize(kibibytes: 32),
            guardedBy: StackGuards(kind: .protect, mappingLimit: 64)
        )
        var (blocks, error) = acquireAll(stacks)
        #expect(blocks.count == 24)
        #expect(error == .tooManyMappings(limit: 64))
        #expect(stacks.statistics.inUse == 24)
        // One that comes back has its guard already.
        release([blocks.removeLast()], to: stacks)
        blocks.append(try stacks.acquire())
        #expect(throws: CoroutineError.tooManyMappings(limit: 64)) { _ = try stacks.acquire() }
        // So has one without memory.
        release(blocks, to: stacks)
        stacks.trim()
        (blocks, error) = acquireAll(stacks)
        #expect(blocks.count == 24)
        #expect(error == .tooManyMappings(limit: 64))
        release(blocks, to: stacks)
    }

    @Test func `returns the mappings of what is unmapped`() throws {
        let guards = StackGuards(kind: .protect, mappingLimit: 64)
        let (small, large) = (
            SharedStacks(of: StackSize(kibibytes: 32), guardedBy: guards),
            SharedStacks(of: StackSize(kibibytes: 64), guardedBy: guards)
        )
        let blocks = acquireAll(small).blocks
        #expect(throws: CoroutineError.tooManyMappings(limit: 64)) { _ = try large.acquire() }
        release(blocks, to: small)
        small.trim()
        // One slab of 16 stays.
        let kept = small.statistics.reservedBytes / small.layout.bytes
        #expect(kept == 16)
        let others = acquireAll(large).blocks
        #expect(others.count == 24 - kept || others.count == 16)
        release(others, to: large)
    }

    @Test(.disabled(if: StackSupply.guardsTakeMappings, "This kernel's guards take mappings"))
    func `needs no mappings on new kernels`() throws {
        let stacks = SharedStacks(of: StackSize(kibibytes: 32), guardedBy: StackGuards(mappingLimit: 0))
        let blocks = try (0..<100).map { _ in try stacks.acquire() }
        release(blocks, to: stacks)
    }

    /// In a process of its own, whose mappings are used up as far as stacks may.
    @Test func `leaves threads to the process`() async {
        await #expect(processExitsWith: .success) {
            let limit = min(StackGuards.shared.mappingLimit, 65530)
            let stacks = SharedStacks(
                of: StackSize(kibibytes: 32),
                guardedBy: StackGuards(kind: .protect, mappingLimit: limit)
            )
            let (blocks, error) = acquireAll(stacks)
            precondition(error == .tooManyMappings(limit: limit))
            precondition(blocks.count == StackGuards.protectedLimit(mappingLimit: limit))
            precondition(canStartAThread(), "no thread can be started")
            // They come back, and can be used again.
            release(blocks, to: stacks)
            let again = acquireAll(stacks).blocks
            precondition(again.count >= blocks.count - 64, "\(again.count)")
            for block in again { memset(block.pointee.stack_low, 1, 64) }
            release(again, to: stacks)
        }
    }

    @Test func `the error says what to do`() {
        let text = CoroutineError.tooManyMappings(limit: 65530).description
        #expect(text.contains("vm.max_map_count is 65530") && text.contains("sysctl"))
    }
}
