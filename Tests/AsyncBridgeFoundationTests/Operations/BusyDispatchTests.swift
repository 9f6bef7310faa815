// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeFoundation
import Coroutines
import Foundation
import Testing

@Suite("A cancelled operation, while Dispatch is busy", .timeLimit(.minutes(10)))
struct BusyDispatchTests {
    @Test func `ends before its turn all the same`() async {
        await #expect(processExitsWith: .success) {
            let operations = OperationQueue()
            operations.isSuspended = true
            let executor = SchedulerTaskExecutor(DispatchQueue(label: "executor"))
            let wasBusy = await Task(executorPreference: executor) {
                let operation = BlockOperation {}
                let busy = BusyPool(of: .blocks)
                let waiting = Task(executorPreference: executor) { try await operations.run(operation) }
                while operations.operationCount == 0 { await Task.yield() }
                waiting.cancel()
                _ = await waiting.result
                return busy.stop()
            }.value
            precondition(wasBusy)
            // LeakSanitizer does not see what an object that is left has for its weak references.
            operations.isSuspended = false
            while operations.operationCount > 0 { await Task.yield() }
        }
    }
}
