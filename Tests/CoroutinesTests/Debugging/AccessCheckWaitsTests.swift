// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Foundation
import Synchronization
import Testing

/// Every way to wait is checked.
@Suite("Accesses across each kind of wait", .timeLimit(.minutes(10)))
struct AccessCheckWaitsTests {
    init() { BridgeDiagnostics.checksAccesses = true }

    enum Wait: String, CaseIterable {
        case operation
        case turn
        case delay
        case callback
        case element
        case loop
        case closure
        case blocking
        case future
        case send
        case receive
        case selection
        case semaphore
        case semaphoreWithTimeout

        // A wait that is reported does not end before that: one that ends before the coroutine has suspended is none.
        func begin(_ place: MisusePlace, isReported: Bool) throws {
            let (fileID, line) = (place.fileID, place.line)
            let reported: @Sendable () async -> Void = { if isReported { await place.reported() } }
            switch self {
            case .operation: try Coroutine.await(fileID: fileID, line: line) { await Task.yield() }
            case .turn: try Coroutine.yield(fileID: fileID, line: line)
            case .delay: try Coroutine.delay(.nanoseconds(1), fileID: fileID, line: line)
            case .callback:
                try Coroutine.await(fileID: fileID, line: line) { (done: @escaping @Sendable () -> Void) in
                    Task {
                        await reported()
                        done()
                    }
                }
            case .element: for _ in Coroutine.sequence(Self.sequence, fileID: fileID, line: line) {}
            case .loop: try Coroutine.forEach(Self.sequence, fileID: fileID, line: line) { _ in }
            case .closure:
                try DispatchQueue.global().await(fileID: fileID, line: line) {
                    while isReported, place.reports.isEmpty { sched_yield() }
                }
            case .blocking: try blockingAwait(fileID: fileID, line: line) { await Task.yield() }
            case .future:
                let promise = CoPromise<Int>()
                Task {
                    await reported()
                    promise.success(1)
                }
                _ = try promise.future.await(fileID: fileID, line: line)
            case .send:
                let channel = CoChannel<Int>(buffering: .bounded(capacity: 0), fileID: fileID, line: line)
                Task {
                    await reported()
                    _ = try await channel.receive()
                }
                try channel.awaitSend(1)
            case .receive:
                let channel = CoChannel<Int>(buffering: .bounded(capacity: 0), fileID: fileID, line: line)
                Task {
                    await reported()
                    try await channel.send(1)
                }
                _ = try channel.awaitReceive()
            case .selection:
                let promise = CoPromise<Int>()
                Task {
                    await reported()
                    promise.success(1)
                }
                _ = try select([.value(of: promise.future) { $0 }], fileID: fileID, line: line)
            case .semaphore:
                let semaphore = CoSemaphore(permits: 0, fileID: fileID, line: line)
                Task {
                    await reported()
                    semaphore.release()
                }
                try semaphore.awaitAcquire()
            case .semaphoreWithTimeout:
                let semaphore = CoSemaphore(permits: 0, fileID: fileID, line: line)
                Task {
                    await reported()
                    semaphore.release()
                }
                try semaphore.awaitAcquire(timeout: .seconds(3600))
            }
        }

        static var sequence: AsyncStream<Int> {
            AsyncStream { continuation in
                continuation.yield(1)
                continuation.finish()
            }
        }
    }

    @inline(never)
    static func during(_ ledger: inout Ledger, _ work: () throws -> Void) rethrows {
        ledger.total += 1
        try work()
        ledger.total += 1
    }

    @Test(arguments: Wait.allCases)
    func `in a task`(_ wait: Wait) async throws {
        let place = MisusePlace()
        let book = Book()
        try await withCoroutine { try wait.begin(place, isReported: false) }
        #expect(place.reports.isEmpty)
        try await withCoroutine { try Self.during(&book.ledger) { try wait.begin(place, isReported: true) } }
        #expect(place.reports.count == 1)
        #expect(place.reports.first?.kind == .accessAcrossWait)
    }

    @Test(arguments: Wait.allCases)
    func `on a scheduler`(_ wait: Wait) async throws {
        let place = MisusePlace()
        let queue = DispatchQueue(label: "waits")
        _ = try await queue.coroutineFuture {
            try wait.begin(place, isReported: false)
            return place.reports.count
        }.value
        #expect(place.reports.isEmpty)
        _ = try await queue.coroutineFuture {
            let book = Book.known()
            try Self.during(&book.ledger) { try wait.begin(place, isReported: true) }
            return book.ledger.total
        }.value
        #expect(place.reports.count == 1)
        #expect(place.reports.first?.kind == .accessAcrossWait)
    }
}
