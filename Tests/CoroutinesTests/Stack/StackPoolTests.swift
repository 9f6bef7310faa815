// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFutures
import CCoroutines
import CFrames
import Coroutines
import Dispatch
import Foundation
import Testing

/// Every size that there is.
private let sizes = [32, 64, 128, 256, 512, 1024, 2048, 4096, 8192].map { StackSize(kibibytes: $0) }

@Suite("Stacks", .timeLimit(.minutes(10)))
struct StackPoolTests {
    @Suite struct Size {
        @Test(arguments: [(16, 32), (17, 32), (33, 64), (64, 64), (100, 128), (256, 256), (8191, 8192), (8192, 8192)])
        func `is rounded up`(_ wish: Int, _ size: Int) { #expect(StackSize(kibibytes: wish).bytes == size << 10) }

        @Test func `has limits`() async {
            await #expect(processExitsWith: .failure) { _ = StackSize(kibibytes: 15) }
            await #expect(processExitsWith: .failure) { _ = StackSize(kibibytes: 8193) }
        }
    }

    @Test(arguments: sizes)
    func `can be written from end to end`(_ size: StackSize) throws {
        let block = try StackPool.acquire(size)
        let low = block.pointee.stack_low
        let count = block.pointee.stack_size
        // But for the guard and the block.
        #expect(count > size.layout(pageSize: StackLayout.pageSize).usableBytes - 1024)
        #expect(low + count == UnsafeMutableRawPointer(block))
        memset(low, 0x5A, count)
        #expect(low.load(fromByteOffset: 0, as: UInt8.self) == 0x5A)
        #expect(low.load(fromByteOffset: count - 1, as: UInt8.self) == 0x5A)
        StackPool.release(block)
    }

    @Test(arguments: sizes)
    func `runs a coroutine`(_ size: StackSize) async throws {
        // In debug, generic code asks the runtime for metadata, which takes more than 12 KiB: none here.
        let sum = try await withCoroutine(stackSize: size) { () throws -> Int in
            try Coroutine.yield()
            return 6
        }
        #expect(sum == 6)
    }

    @Test func `the warmest of the thread comes first`() throws {
        let size = StackSize(kibibytes: 4096)
        let (first, second) = (try StackPool.acquire(size), try StackPool.acquire(size))
        StackPool.release(first)
        StackPool.release(second)
        #expect(try StackPool.acquire(size) == second)
        #expect(try StackPool.acquire(size) == first)
        StackPool.release(first)
        StackPool.release(second)
    }

    /// In pools of its own, which no other test uses.
    @Suite("Shared by all threads") struct Shared {
        @Test(
            arguments: StackGuards.Kind.allCases.filter { kind in
                kind != .install || !StackSupply.guardsTakeMappings
            }
        )
        func `guarded by each means`(_ kind: StackGuards.Kind) throws {
            let guards = StackGuards(kind: kind, mappingLimit: 65530)
            let stacks = SharedStacks(of: StackSize(kibibytes: 32), guardedBy: guards)
            let block = try stacks.acquire()
            #expect(stacks.statistics.inUse == 1)
            block.pointee.next = nil
            stacks.release(block)
            #expect(stacks.statistics.inUse == 0)
            #expect(stacks.statistics.warm == 1)
            stacks.trim()
            #expect(stacks.statistics.warm == 0)
            // Its memory was given back, and is there again when it is touched.
            let again = try stacks.acquire()
            memset(again.pointee.stack_low, 1, again.pointee.stack_size)
            again.pointee.next = nil
            stacks.release(again)
        }

        /// How many there may be where guards take mappings: see ``StackGuardsTests/leavesThreadsToTheProcess()``.
        @Test(.disabled(if: StackSupply.guardsTakeMappings, "This kernel's guards take mappings: 24,574 at once"))
        func `a hundred thousand at once`() throws {
            let stacks = SharedStacks(of: StackSize(kibibytes: 64))
            let blocks = try (0..<100_000).map { _ in try stacks.acquire() }
            #expect(Set(blocks).count == 100_000)
            #expect(stacks.statistics.inUse == 100_000)
            #if os(Linux)
            let mappings = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).count { $0 == "\n" }
            #expect(mappings < 10_000)
            #endif
            for block in blocks {
                block.pointee.next = nil
                stacks.release(block)
            }
            let statistics = stacks.statistics
            #expect(statistics.inUse == 0)
            #expect(statistics.warm == 64)
            // A slab without use goes, but for one.
            #expect(statistics.reservedBytes < 100_000 * 65536)
        }

        @Test func `gives memory back`() throws {
            let stacks = SharedStacks(of: StackSize(kibibytes: 1024))
            let blocks = try (0..<50).map { _ in try stacks.acquire() }
            for block in blocks {
                memset(block.pointee.stack_low, 1, block.pointee.stack_size)
                #expect(residentPages(of: block) > 230)
                block.pointee.next = nil
                stacks.release(block)
            }
            stacks.trim()
            let again = try stacks.acquire()
            #expect(residentPages(of: again) <= 1)
            again.pointee.next = nil
            stacks.release(again)
        }
    }

    // Apple's systems keep no limit of the address space.
    #if os(Linux)
    @Test(.disabled(if: cframes_has_sanitizer(), "Sanitizers need more address space than the test leaves"))
    func `out of memory is thrown`() async {
        await #expect(processExitsWith: .success) {
            // Less address space than one stack needs beside what the process has.
            var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
            precondition(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
            do {
                _ = try StackPool.acquire(StackSize(kibibytes: 8192))
                exit(EXIT_FAILURE)
            } catch {
                precondition(error as? CoroutineError == .outOfMemory(errno: ENOMEM))
            }
        }
    }

    @Test(.disabled(if: cframes_has_sanitizer(), "Sanitizers need more address space than the test leaves"))
    func `when stacks are refused, memory is left for others`() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 4 << 30, rlim_max: 4 << 30)
            precondition(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
            var blocks: [StackPool.Block] = []
            while let block = try? StackPool.acquire(StackSize(kibibytes: 8192)) { blocks.append(block) }
            precondition(blocks.count > 10)
            precondition(malloc(32 << 20) != nil)
        }
    }
    #endif

    /// In a process of its own, where nobody else has stacks.
    @Test func `what a thread keeps comes back when it ends`() async {
        await #expect(processExitsWith: .success) {
            keepStacksInAThreadThatEnds()
            precondition(BridgeDiagnostics.stacks.inUse == 0)
            precondition(BridgeDiagnostics.stacks.warm == 4)
            BridgeDiagnostics.trimStacks()
            precondition(BridgeDiagnostics.stacks.warm == 0)
        }
    }
}

/// Has a thread keep four stacks, and waits until it has ended.
private func keepStacksInAThreadThatEnds() {
    #if canImport(Glibc)
    var thread = pthread_t()
    #else
    var thread: pthread_t!
    #endif
    let number = pthread_create(
        &thread,
        nil,
        { _ in
            let blocks = (0..<4).compactMap { _ in try? StackPool.acquire(.standard) }
            for block in blocks { StackPool.release(block) }
            precondition(ccoro_cache_count(StackSize.standard.sizeClass) == 4)
            precondition(BridgeDiagnostics.stacks.inUse == 0)
            precondition(BridgeDiagnostics.stacks.warm == 4)
            return nil
        },
        nil
    )
    precondition(number == 0)
    pthread_join(thread, nil)
}

/// The pages of a stack that have memory.
private func residentPages(of block: UnsafeMutablePointer<ccoro_block>) -> Int {
    let page = ccoro_page_size()
    let count = block.pointee.stack_size / page
    var resident = [UInt8](repeating: 0, count: count)
    #if canImport(Glibc)
    precondition(mincore(block.pointee.stack_low, count * page, &resident) == 0)
    #endif
    return resident.count { $0 & 1 == 1 }
}

// The process ends by SIGSEGV, or, under AddressSanitizer, by that one's own hand.
@Suite("A stack that overflows", .timeLimit(.minutes(10)))
struct StackOverflowTests {
    @Test func `ends the process with a message`() async throws {
        let result = try await #require(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            _ = try await withCoroutine(stackSize: StackSize(kibibytes: 64)) {
                cframes_sum(1_000_000, 1, { _, _ in 0 }, nil)
            }
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("the stack of a coroutine overflowed: 64 KiB"))
        #expect(text.contains("what was started at CoroutinesTests/StackPoolTests.swift:"))
        #expect(text.contains("recurses too deeply") && text.contains("the stack is too small"))
        #expect(text.contains("withCoroutine(stackSize: StackSize(kibibytes: 128))"))
    }

    @Test func `names the place where a coroutine on a queue was started`() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let queue = DispatchQueue(label: "overflow")
            let handle = queue.startCoroutine(stackSize: StackSize(kibibytes: 64)) {
                _ = cframes_sum(1_000_000, 1, { _, _ in 0 }, nil)
            }
            await handle.finished()
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("the stack of a coroutine overflowed: 64 KiB"))
        #expect(text.contains("what was started at CoroutinesTests/StackPoolTests.swift:"))
    }

    /// It has neither made a stack nor run a coroutine, so nothing has given its signals a stack before.
    @Test func `tells it, on a thread that only resumes a generator`() async throws {
        let result = try await #require(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            nonisolated(unsafe) var iterator = Generator(stackSize: StackSize(kibibytes: 64)) { yield in
                try yield(1)
                try yield(Int(cframes_sum(1_000_000, 1, { _, _ in 0 }, nil)))
            }.makeIterator()
            precondition(unsafe iterator.next() == 1)
            _ = try await onThread { unsafe iterator.next() }
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("the stack of a coroutine overflowed: 64 KiB"))
        #expect(text.contains("what was started at CoroutinesTests/StackPoolTests.swift:"))
    }

    /// Another fault is not taken for one.
    @Test func `is not every fault`() async throws {
        let result = try await #require(
            processExitsWith: .failure,
            observing: [\.standardErrorContent]
        ) {
            try await withCoroutine { UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1 }
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(!text.contains("overflowed"))
    }
}
