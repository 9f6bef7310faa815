// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeTesting
import Coroutines
import Foundation
import Testing

/// More calls wait at once than there are cores, and all complete.
///
/// In processes of their own: calls that took threads from Swift's pool for good would stop all other tests as well.
@Suite("blockingAwait by many at once", .timeLimit(.minutes(10)))
struct BlockingCrowdTests {
    // Exit tests of Swift 6.2 capture nothing.
    #if compiler(>=6.3)
    @Test(
        arguments: BlockingPlace.allCases,
        BlockingWork.allCases
    )
    func `operations that know nothing of each other`(place: BlockingPlace, work: BlockingWork) async {
        await #expect(processExitsWith: .success) { [place, work] in
            endHangingProcess()
            for count in BlockingPlace.crowds {
                let results = Collected<Int>()
                try await place.run(count) { number in
                    results.append(try blockingAwait { await work.perform(number) })
                }
                #expect(results.all.sorted() == Array(0..<count))
            }
        }
    }

    /// None ends before all have begun: no call may wait for the thread of another.
    ///
    /// Not on a queue, which may begin the last call only when the first has ended.
    @Test(arguments: BlockingPlace.allCases.filter { $0 != .queue })
    func `operations that wait for one another`(place: BlockingPlace) async {
        await #expect(processExitsWith: .success) { [place] in
            endHangingProcess()
            for count in BlockingPlace.crowds {
                let meeting = Meeting(of: count)
                try await place.run(count) { _ in
                    try blockingAwait {
                        await Task.yield()
                        await meeting.attend()
                    }
                }
            }
        }
    }
    #endif

    /// Half of the calls block their threads, the other half suspend.
    @Test func `meeting of threads and coroutines`() async {
        await #expect(processExitsWith: .success) {
            endHangingProcess()
            let count = ProcessInfo.processInfo.activeProcessorCount * 4
            let meeting = Meeting(of: 2 * count)
            async let threads: Void = BlockingPlace.thread.run(count) { _ in
                try blockingAwait { await meeting.attend() }
            }
            try await BlockingPlace.coroutineInATask.run(count) { _ in try blockingAwait { await meeting.attend() } }
            try await threads
        }
    }

    /// Swift's pool goes on while threads are blocked.
    @Test func `other tasks go on`() async {
        await #expect(processExitsWith: .success) {
            endHangingProcess()
            let count = ProcessInfo.processInfo.activeProcessorCount * 4
            let gate = Gate()
            async let threads: Void = BlockingPlace.thread.run(count) { _ in try blockingAwait { try await gate.pass() }
            }
            try await gate.arrivals(atLeast: count)
            for place in [BlockingPlace.thread, .coroutineInATask, .coroutineOnAQueue] {
                try await place.run(count) { number in
                    let result = try blockingAwait { await BlockingWork.taskOfItsOwn.perform(number) }
                    #expect(result == number)
                }
            }
            gate.open()
            try await threads
        }
    }
}
