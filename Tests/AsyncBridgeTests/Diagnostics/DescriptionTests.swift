// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("CallSite", .timeLimit(.minutes(10)))
struct CallSiteTests {
    @Test func `describes itself as a link`() {
        #expect("\(CallSite(fileID: "Module/File.swift", line: 12))" == "Module/File.swift:12")
    }

    @Test func `is where it is made by default`() {
        let site = CallSite()
        #expect(site.fileID == #fileID)
        #expect(site.line == #line - 2)
    }

    @Test func `equals a site of the same file and line`() {
        let site = CallSite(fileID: "Module/File.swift", line: 12)
        #expect(site == CallSite(fileID: "Module/File.swift", line: 12))
        #expect(site != CallSite(fileID: "Module/File.swift", line: 13))
        #expect(site != CallSite(fileID: "Module/Other.swift", line: 12))
        #expect(Set([site, CallSite(fileID: "Module/File.swift", line: 12)]).count == 1)
    }
}

@Suite("BridgeFault and BridgeInterruption", .timeLimit(.minutes(10)))
struct BridgeFaultTests {
    private let made = CallSite(fileID: "Module/File.swift", line: 12)

    static let codes: [BridgeFault.Code] = [
        .callbackDropped, .timedOut, .noResult, .unsuccessful, .slotBusy, .slotReplaced, .slotClosed, .sinkDropped,
        .secondConsumer, .consumerLeft, .bufferOverflow, .noValue, .severalValues, .valueMissing, .subscriberDropped,
    ]

    /// By the names of the fault, in the order of ``codes``.
    private static let named: [BridgeFault.Code] = [
        BridgeFault.callbackDropped, BridgeFault.timedOut, BridgeFault.noResult, BridgeFault.unsuccessful,
        BridgeFault.slotBusy, BridgeFault.slotReplaced, BridgeFault.slotClosed, BridgeFault.sinkDropped,
        BridgeFault.secondConsumer, BridgeFault.consumerLeft, BridgeFault.bufferOverflow, BridgeFault.noValue,
        BridgeFault.severalValues, BridgeFault.valueMissing, BridgeFault.subscriberDropped,
    ]

    @Test func `has its codes by name`() { #expect(Self.named == Self.codes) }

    @Test func `is caught by its code, and by no other`() {
        func caught(_ error: any Error) -> String {
            do { throw error } catch BridgeFault.timedOut { return "timed out" } catch { return "something else" }
        }
        #expect(caught(BridgeFault(.timedOut, made: self.made)) == "timed out")
        #expect(caught(BridgeFault(.callbackDropped, made: self.made)) == "something else")
        #expect(caught(CancellationError()) == "something else")
        for (number, code) in Self.codes.enumerated() {
            for (other, pattern) in Self.codes.enumerated() {
                let fault: any Error = BridgeFault(code, made: self.made)
                #expect((pattern ~= fault) == (number == other))
            }
        }
    }

    @Test func `says what and where`() {
        let fault = BridgeFault(.callbackDropped, made: self.made)
        #expect("\(fault)" == "the callback was dropped without an answer (made at Module/File.swift:12)")
    }

    @Test func `codes and their words are distinct`() {
        #expect(Set(Self.codes).count == Self.codes.count)
        #expect(Set(Self.codes.map(\.description)).count == Self.codes.count)
    }

    @Test func `equals a fault of the same code and place`() {
        let fault = BridgeFault(.timedOut, made: self.made)
        #expect(fault == BridgeFault(.timedOut, made: self.made))
        #expect(fault != BridgeFault(.noResult, made: self.made))
        #expect(fault != BridgeFault(.timedOut, made: CallSite(fileID: "Module/File.swift", line: 13)))
    }

    @Test func `interruptions become the errors of the untyped forms`() {
        let fault = BridgeFault(.timedOut, made: self.made)
        #expect(BridgeInterruption.cancelled.error is CancellationError)
        #expect(BridgeInterruption.fault(fault).error as? BridgeFault == fault)
    }
}

@Suite("Misuse", .timeLimit(.minutes(10)))
struct MisuseTests {
    private func misuse(involved lines: [UInt] = []) -> BridgeDiagnostics.Misuse {
        BridgeDiagnostics.Misuse(
            kind: .duplicateAnswer,
            bridge: "withCallback",
            made: CallSite(fileID: "Module/File.swift", line: 1),
            involved: lines.map { CallSite(fileID: "Module/File.swift", line: $0) },
            advice: "Do better."
        )
    }

    @Test func `is one line with everything`() {
        #expect("\(self.misuse())" == "withCallback at Module/File.swift:1: answered twice. Do better.")
        #expect(
            "\(self.misuse(involved: [2, 3]))"
                == "withCallback at Module/File.swift:1: answered twice; at Module/File.swift:2, then at "
                + "Module/File.swift:3. Do better."
        )
    }

    @Test func `says a place once that is involved twice`() {
        #expect(
            "\(self.misuse(involved: [2, 2]))"
                == "withCallback at Module/File.swift:1: answered twice; both times at Module/File.swift:2. Do better."
        )
    }

    @Test func `kinds are distinct`() {
        let kinds: [BridgeDiagnostics.Misuse.Kind] = [
            .duplicateAnswer, .droppedCallback, .droppedSink, .secondConsumer, .consumerLeft,
            .elementsDropped, .slotDropped, .unwindingSwallowed, .strayYield, .accessAcrossWait, .unrequestedElements,
            .droppedSubscriber, .resultUndelivered, .addedLate, .waitedOutsideCoroutine,
        ]
        #expect(Set(kinds).count == kinds.count)
        #expect(Set(kinds.map(\.description)).count == kinds.count)
    }
}

@Suite("Reports", .timeLimit(.minutes(10)))
struct ReportTests {
    @Test func `of one place and kind count once`() {
        let place = Place()
        func report(_ kind: BridgeDiagnostics.Misuse.Kind) {
            BridgeDiagnostics.report(BridgeDiagnostics.Misuse(kind: kind, bridge: "test", made: place.site, advice: ""))
        }
        report(.droppedSink)
        report(.droppedSink)
        #expect(place.reports.map(\.kind) == [.droppedSink])
        report(.slotDropped)
        #expect(place.reports.map(\.kind) == [.droppedSink, .slotDropped])
    }

    @Test func `of two places are two`() {
        let (one, other) = (Place(), Place())
        for place in [one, other] {
            BridgeDiagnostics.report(
                BridgeDiagnostics.Misuse(kind: .droppedSink, bridge: "test", made: place.site, advice: "")
            )
        }
        #expect(one.reports.count == 1)
        #expect(other.reports.count == 1)
    }

    @Test func `by many threads reach the handler once`() async {
        let place = Place()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    await onThread {
                        BridgeDiagnostics.report(
                            BridgeDiagnostics.Misuse(kind: .droppedSink, bridge: "test", made: place.site, advice: "")
                        )
                    }
                }
            }
        }
        #expect(place.reports.count == 1)
    }
}
