// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Dispatch
import Foundation
import Testing

/// In processes of their own: the list is one for all, and off for all other tests.
@Suite("CoroutineList", .timeLimit(.minutes(1)))
struct CoroutineListTests {
    /// What the list says of the coroutine with a name.
    static func activity(of name: String) -> CoroutineDescription.Activity? {
        CoroutineList.coroutines.first { $0.name == name }?.activity
    }

    @Test func off_itHoldsNothing() async {
        await #expect(processExitsWith: .success) {
            precondition(!CoroutineList.isRecording)
            try await withCoroutine(name: "unseen") {
                try Coroutine.await { precondition(CoroutineList.coroutines.isEmpty) }
            }
        }
    }

    @Test func itHoldsACoroutineFromItsStartToItsEnd() async {
        await #expect(processExitsWith: .success) {
            CoroutineList.isRecording = true
            let before = ContinuousClock.now
            try await withCoroutine(name: "example") {
                precondition(CoroutineList.coroutines.count == 1)
                let coroutine = CoroutineList.coroutines[0]
                precondition(coroutine.name == "example")
                precondition("\(coroutine.started)".contains("CoroutineListTests.swift"))
                precondition(coroutine.since >= before && coroutine.since <= .now)
                precondition(coroutine.home.contains("task"))
                precondition(coroutine.activity == .running)
                precondition("\(coroutine)".contains("'example'"))
            }
            precondition(CoroutineList.coroutines.isEmpty)
        }
    }

    @Test func itEndsWithAnErrorToo() async {
        await #expect(processExitsWith: .success) {
            CoroutineList.isRecording = true
            do { try await withCoroutine { throw Failure() } } catch {}
            precondition(CoroutineList.coroutines.isEmpty)
        }
    }

    /// One coroutine after another waits for something; an operation of another task looks at it.
    @Test func itSaysWhatEachWaitsFor() async {
        await #expect(processExitsWith: .success) {
            CoroutineList.isRecording = true
            let expected = ["an operation", "a callback", "a delay", "an element", "a closure on another scheduler"]
            let gate = Gate()
            let held = DispatchQueue(label: "held")
            held.suspend()
            async let operation: Void = withCoroutine(name: "0") { try Coroutine.await { try await gate.pass() } }
            async let callback: Void = withCoroutine(name: "1") {
                try Coroutine.await { done in
                    Task {
                        try await gate.pass(); done()
                    }
                }
            }
            let delay = Task { try await withCoroutine(name: "2") { try Coroutine.delay(.seconds(1000)) } }
            async let element: Void = withCoroutine(name: "3") {
                let stream = AsyncStream<Int> {
                    try? await gate.pass(); return nil
                }
                for _ in Coroutine.sequence(stream) {}
            }
            async let closure: Void = withCoroutine(name: "4") { try held.await {} }
            for (name, what) in expected.enumerated() {
                var isSeen = false
                while !isSeen {
                    if case .waiting(what, let site)? = Self.activity(of: "\(name)") {
                        precondition("\(site)".contains("CoroutineListTests.swift"))
                        isSeen = true
                    }
                    await Task.yield()
                }
            }
            precondition(CoroutineList.coroutines.count == 5)
            gate.open()
            held.resume()
            _ = try await (operation, callback, element, closure)
            precondition(CoroutineList.coroutines.map(\.name) == ["2"])
            delay.cancel()
            _ = await delay.result
            precondition(CoroutineList.coroutines.isEmpty)
        }
    }

    @Test func itKnowsScheduledCoroutines_theFirstFirst() async {
        await #expect(processExitsWith: .success) {
            CoroutineList.isRecording = true
            let scheduler = ManualScheduler()
            scheduler.startCoroutine(name: "first") { try Coroutine.yield() }
            scheduler.startCoroutine(name: "second") {}
            precondition(CoroutineList.coroutines.map(\.name) == ["first", "second"])
            precondition(CoroutineList.coroutines.allSatisfy { $0.activity == .scheduled })
            precondition(CoroutineList.coroutines.allSatisfy { $0.home.contains("ManualScheduler") })
            scheduler.runOne()
            precondition(Self.activity(of: "first") == .yielding)
            scheduler.run()
            precondition(CoroutineList.coroutines.isEmpty)
        }
    }

    /// Off again, those that are in it stay.
    @Test func switchedOff_itKeepsThoseItHas() async {
        await #expect(processExitsWith: .success) {
            CoroutineList.isRecording = true
            let scheduler = ManualScheduler()
            scheduler.startCoroutine(name: "seen") {}
            CoroutineList.isRecording = false
            scheduler.startCoroutine(name: "unseen") {}
            precondition(CoroutineList.coroutines.map(\.name) == ["seen"])
            scheduler.run()
            precondition(CoroutineList.coroutines.isEmpty)
        }
    }

    @Test func theDumpIsALineForEach() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            CoroutineList.isRecording = true
            let scheduler = ManualScheduler()
            scheduler.startCoroutine(name: "named") {}
            scheduler.startCoroutine {}
            CoroutineList.dump()
            scheduler.run()
        }
        let lines = String(decoding: try #require(result).standardErrorContent, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.first == "swift-async-bridge: 2 coroutines")
        #expect(lines.dropFirst().first?.contains("coroutine 'named' started at") == true)
        #expect(lines.last?.contains("scheduled") == true)
    }

    @Test func off_theDumpSaysSo() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            CoroutineList.dump()
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("CoroutineList.isRecording is off"))
    }

    /// The signal's thread writes while this one is blocked, and says when it has by what the process reads back.
    @Test func aSignalDumpsToo() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            // Standard error becomes a pipe for as long as it takes, so that the end of the dump is seen.
            let pipe = Pipe()
            let saved = dup(STDERR_FILENO)
            dup2(pipe.fileHandleForWriting.fileDescriptor, STDERR_FILENO)
            try CoroutineList.dump(onSignal: SIGUSR1)
            try await withCoroutine(name: "signalled") {
                kill(getpid(), SIGUSR1)
                var text = ""
                while !text.contains("'signalled'") {
                    text += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
                }
            }
            dup2(saved, STDERR_FILENO)
        }
        #expect(result != nil)
    }
}
