// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Dispatch
import Testing
import UnannotatedLibrary

/// What becomes of a delegate of the main actor that a library from before Swift 6 calls on its own queue: the table of
/// the guide UnannotatedLibraries.
///
/// When a test fails, Swift has changed, and so must the guide.
@Suite("A delegate of the main actor, called on another thread", .timeLimit(.minutes(10)))
struct DelegateIsolationExitTests {
    @MainActor
    private final class Checked: @preconcurrency ReceiverDelegate {
        let done = DispatchSemaphore(value: 0)

        func receiver(_ receiver: UnannotatedLibrary.Receiver, didFix location: UnannotatedLibrary.Location) {}
        func receiver(_ receiver: UnannotatedLibrary.Receiver, didFail error: any Error) { self.done.signal() }
    }

    @MainActor
    private final class Isolated: @MainActor ReceiverDelegate {
        let done = DispatchSemaphore(value: 0)

        func receiver(_ receiver: UnannotatedLibrary.Receiver, didFix location: UnannotatedLibrary.Location) {}

        func receiver(_ receiver: UnannotatedLibrary.Receiver, didFail error: any Error) {
            dispatchPrecondition(condition: .notOnQueue(.main))
            self.done.signal()
        }
    }

    /// Waits on the main thread, so that the receiver's calls come on another one.
    @MainActor
    private static func call(_ delegate: any ReceiverDelegate, until done: DispatchSemaphore) {
        let receiver = UnannotatedLibrary.Receiver()
        receiver.start(delegate: delegate)
        _ = withExtendedLifetime((receiver, delegate)) { done.wait(timeout: .now() + 20) }
    }

    @Test func `ends the process: where the conformance is preconcurrency`() async {
        await #expect(processExitsWith: .failure) {
            await MainActor.run {
                let delegate = Checked()
                Self.call(delegate, until: delegate.done)
            }
        }
    }

    @Test func `is not noticed: where the conformance is of the main actor`() async {
        await #expect(processExitsWith: .success) {
            await MainActor.run {
                let delegate = Isolated()
                Self.call(delegate, until: delegate.done)
            }
        }
    }
}
