// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ExampleTesting
import Foundation
import Testing

/// What no example teaches: to make by hand what this package has.
@Suite("The sources of all examples", .timeLimit(.minutes(10)))
struct HandMadeTests {
    /// What stands there all the same, each with its reason.
    private static let accepted: Set<String> = [
        // SwiftNIO's own way, beside that of this package.
        "LineServer/Sources/LineServer/Forms/TaskForm.swift: AsyncStream",
        // The server of an example, which has nothing to do with this package.
        "QuotableServer/Sources/QuotableServer/QuoteServer+InProcess.swift: AsyncStream",
        // Begins in a cancelled task, too, which `callAsync` does not.
        "QuotableServer/Sources/ServerSupport/Departures.swift: withTaskCancellationHandler",
    ]

    /// State that threads share; nobody waits for it longer than it takes to change it.
    private static let state: Set<String> = [
        "Contacts/Sources/contacts/SavingProgress.swift: Mutex",
        "LineServer/Sources/LineServer/Forms/HandlerForm.swift: Atomic",
        "LocationService/Sources/GPSLocation/LocationPermission.swift: Mutex",
        "QuotableServer/Sources/QuotableServer/Middleware/RequestLimits.swift: Mutex",
        "QuotableServer/Sources/ServerSupport/Departures.swift: Mutex",
        "Quotes/Sources/QuoteKit/QuoteKit.swift: Mutex",
        "Tour/Sources/Tour/Shared/Receiver.swift: Mutex",
        "Tour/Sources/Tour/Shared/Support.swift: Mutex",
        "Tour/Sources/Tour/World/ShelfClient.swift: Mutex",
        "WhatsThat/Sources/OnnxRuntime/OnnxRun.swift: Atomic",
        "WhatsThat/Sources/WhatsThatServer/ClassificationQueue.swift: Mutex",
        "WhatsThat/Sources/WhatsThatServer/UploadPicker.swift: Mutex",
        "WhatsThat/Sources/WhatsThatServices/Classifier/FreeList.swift: Mutex",
        "WhatsThat/Sources/whatsthat/Progress.swift: Mutex",
    ]

    /// The queues of the old APIs that examples bridge, and queues on which coroutines run.
    private static let queues: Set<String> = [
        "Contacts/Sources/contacts/Commands/DemoCommand.swift: DispatchQueue",
        "Contacts/Sources/contacts/CommonOptions.swift: DispatchQueue",
        "Quotes/Sources/QuotesTour/Chapters/Quotes.swift: DispatchQueue",
        "Starter/Sources/Starter/Oven.swift: DispatchQueue",
        "Tour/Sources/Tour/Chapters/SynchronousCode.swift: DispatchQueue",
        "Tour/Sources/Tour/Shared/Receiver.swift: DispatchQueue",
        "Tour/Sources/Tour/World/ShelfClient.swift: DispatchQueue",
    ]

    private func mentions(of words: [String]) throws -> Set<String> {
        // But for the one that looks for such words.
        let examples = try ExampleSources.all().filter { $0.folder.lastPathComponent != "ExampleTesting" }
        #expect(examples.count >= 9)
        return try Set(
            examples.flatMap { example in
                try example.mentions(of: words).map { "\(example.folder.lastPathComponent)/\($0)" }
            }
        )
    }

    /// Tasks aside: who calls a bridge often does so in one.
    @Test func `no continuation, stream or cancellation handler is made by hand`() throws {
        #expect(try self.mentions(of: ExampleSources.bridges) == Self.accepted)
    }

    @Test func `each file with a lock or a queue of its own is named`() throws {
        let found = try self.mentions(of: [
            "Mutex<", "Mutex(", "Mutex = ", "Atomic<", "Atomic(", "AtomicLazyReference", "NSLock", "NSRecursiveLock",
            "NSCondition", "NIOLock", "UnfairLock", "unfair_lock", "pthread_mutex", "pthread_cond",
            "DispatchQueue(label",
        ])
        // What is a link to a file of the first tour.
        let files = found.filter { !$0.contains(/(Quotes|WhatsThat)Tour\/Shared\/(Narrator|Receiver|Support)\.swift/) }
        let words = Set(files.map { $0.replacing(/[(<](label)?$/, with: "") })
        #expect(words.symmetricDifference(Self.state.union(Self.queues)) == [])
    }
}
