// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFoundation
import AsyncBridgeFutures
import Foundation
import Testing

/// What apps show and log of the package's errors.
@Suite("Errors, as Foundation sees them", .timeLimit(.minutes(10)))
struct ErrorTests {
    private struct Refused: LocalizedError {
        var errorDescription: String? { "the server refused" }
    }

    private static let made = CallSite(fileID: "Module/File.swift", line: 12)

    static let faults: [(BridgeFault.Code, Int)] = [
        (.callbackDropped, 1), (.timedOut, 2), (.noResult, 3), (.unsuccessful, 4), (.slotBusy, 5), (.slotReplaced, 6),
        (.slotClosed, 7), (.sinkDropped, 8), (.secondConsumer, 9), (.consumerLeft, 10), (.bufferOverflow, 11),
        (.noValue, 12), (.severalValues, 13), (.valueMissing, 14), (.subscriberDropped, 15),
    ]

    @Test func `a fault says what and where`() {
        let fault: any Error = BridgeFault(.timedOut, made: Self.made)
        #expect(fault.localizedDescription == "the wait timed out (made at Module/File.swift:12)")
    }

    /// The numbers must not change: an app may have logged them.
    @Test(arguments: faults)
    func `a fault has the number of its code`(_ code: BridgeFault.Code, _ number: Int) {
        let fault = BridgeFault(code, made: Self.made)
        #expect(fault.errorCode == number)
        #expect(BridgeFault.errorDomain == "AsyncBridge.BridgeFault")
        #expect(fault.errorUserInfo[NSLocalizedDescriptionKey] as? String == fault.description)
    }

    @Test func `an interruption says what it is`() {
        let fault = BridgeFault(.timedOut, made: Self.made)
        let interruptions: [BridgeInterruption] = [.cancelled, .fault(fault)]
        #expect(
            interruptions.map { ($0 as any Error).localizedDescription }
                == ["the waiting task was cancelled", fault.description]
        )
        #expect(interruptions.map { "\($0)" } == ["the waiting task was cancelled", fault.description])
        #expect(interruptions.map(\.errorCode) == [1, 2])
        #expect(BridgeInterruption.errorDomain == "AsyncBridge.BridgeInterruption")
        #expect(interruptions[0].errorUserInfo[NSUnderlyingErrorKey] is CancellationError)
        #expect(interruptions[1].errorUserInfo[NSUnderlyingErrorKey] as? BridgeFault == fault)
    }

    @Test func `an error of the typed forms says what the API's own error says`() {
        let errors: [BridgeError<Refused>] = [.failure(Refused()), .interruption(.cancelled)]
        #expect(
            errors.map { ($0 as any Error).localizedDescription }
                == ["the server refused", "the waiting task was cancelled"]
        )
        #expect(errors.map(\.description) == ["\(Refused())", "the waiting task was cancelled"])
        #expect(errors.map(\.errorCode) == [1, 2])
        #expect(BridgeError<Refused>.errorDomain == "AsyncBridge.BridgeError")
        #expect(errors[0].errorUserInfo[NSUnderlyingErrorKey] is Refused)
        #expect(errors[1].errorUserInfo[NSUnderlyingErrorKey] is CancellationError)
    }

    @Test func `a failure that an API reported says what it was`() {
        let failure = ReportedFailure(404)
        #expect((failure as any Error).localizedDescription == "the API reported: 404")
        #expect(failure.errorCode == 1)
        #expect(ReportedFailure<Int>.errorDomain == "AsyncBridge.ReportedFailure")
        #expect(failure.errorUserInfo[NSLocalizedDescriptionKey] as? String == failure.description)
    }

    @Test func `errors of futures and channels say what to do`() {
        let futures: [CoFutureError] = [.timeout, .promiseDropped(Self.made), .noFutures]
        let channels: [CoChannelError] = [.closed, .senderDropped(Self.made), .receiverDropped(Self.made)]
        #expect(futures.map { ($0 as any Error).localizedDescription } == futures.map(\.description))
        #expect(channels.map { ($0 as any Error).localizedDescription } == channels.map(\.description))
        #expect(futures.map(\.errorCode) == [1, 2, 3])
        #expect(channels.map(\.errorCode) == [1, 2, 3])
        #expect(CoFutureError.errorDomain == "AsyncBridgeFutures.CoFutureError")
        #expect(CoChannelError.errorDomain == "AsyncBridgeFutures.CoChannelError")
    }

    @Test func `an incomplete transfer says what its error says`() throws {
        guard case .failure(let error) = TransferAnswer.of(Data([1]), nil, Refused()) else {
            Issue.record("it did not fail")
            return
        }
        #expect(error.localizedDescription == "the transfer failed after data had come: the server refused")
        let transfer = try #require(error as? TransferError)
        #expect(transfer.errorCode == 4)
        #expect(TransferError.errorDomain == "AsyncBridgeFoundation.TransferError")
        #expect(transfer.errorUserInfo[NSUnderlyingErrorKey] is Refused)
    }
}
