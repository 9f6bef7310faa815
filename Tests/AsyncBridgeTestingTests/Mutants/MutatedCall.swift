// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import MutationTestSupport
import Synchronization

/// A call of a bridge that answers once; right, but for the faults of the bridge.
final class MutatedCall: Sendable {
    private enum End { case answered, cancelled }

    private struct State {
        var handle: SourceHandle?
        var end: End?
    }

    /// The caller's wait ends once, whatever comes later; and an answer, or a stop, may come on any thread.
    static let reference = Reference(
        "one-shot bridge",
        // Of the calls of one suite, in turn.
        timings: [.always, .everyOther, .later],
        [
            .decision("the task is cancelled before the start", isRepeated: true),
            .call("start the work", isRepeated: true),
            .decision("unlock before the start", isRepeated: true),
            .nothing("the handler is not kept after the start", .retain, isRepeated: true),
            .change("keep the handle", isRepeated: true),
            .decision("it is the first answer", isRepeated: true),
            .number("the answer", isRepeated: true),
            .decision("the error stays one", isRepeated: true),
            // The call is gone with its answer.
            .release("forget the handle at the answer", isRepeated: true, unseen: [.forget]),
            .call("resume with the answer", isRepeated: true, unseen: [.double, .elsewhere]),
            .nothing("the work is not stopped at its answer", .wrongCall, isRepeated: true),
            .call("resume if the handler is dropped", isRepeated: true, unseen: [.double, .elsewhere]),
            .nothing("the answer does not wait", .wrongCall, isRepeated: true),
            .decision("the cancellation is before the answer", isRepeated: true),
            .change("note the cancellation", isRepeated: true),
            .call("resume with the cancellation", isRepeated: true, unseen: [.double, .elsewhere]),
            .nothing("the cancellation does not wait", .wrongCall, isRepeated: true),
            .nothing("the cancellation calls nobody", .wrongCall, isRepeated: true),
            .decision("the call was cancelled", isRepeated: true),
            .release("forget the handle at the stop", isRepeated: true, unseen: [.forget]),
            .call("stop the work", isRepeated: true, unseen: [.elsewhere]),
            .decision("unlock before stopping", isRepeated: true),
        ]
    )

    private let source: OneShotSource
    private let faults: Faults
    private let cell = Cell()
    private let lock = NonRecursiveLock()
    private let state = Mutex(State())

    private init(_ source: OneShotSource, _ faults: Faults) {
        self.source = source
        self.faults = faults
    }

    /// Makes a bridge, whose calls share their faults.
    static func bridge(_ mutant: Mutant?) -> WrongOneShotBridge.Bridge {
        let faults = Faults(mutant)
        return { source in
            let isCancelled = faults.decision("the task is cancelled before the start", Task.isCancelled)
            if isCancelled { throw CancellationError() }
            let call = MutatedCall(source, faults)
            // Before the wait, so on the caller's actor.
            call.start()
            let answer = await withTaskCancellationHandler {
                await withUnsafeContinuation { call.cell.store($0) }
            } onCancel: {
                call.cancel()
            }
            // Not in the cancellation's handler, which runs under the runtime's lock.
            call.stop()
            return try answer.get()
        }
    }

    private func start() {
        self.unlocked("unlock before the start") {
            self.faults.call("start the work") {
                let watch = DropWatch { [cell = self.cell, faults = self.faults] in
                    faults.call(
                        "resume if the handler is dropped",
                        instead: { cell.resume(.failure(CancellationError())) },
                        { cell.resume(.failure(OtherError())) }
                    )
                }
                let handler: @Sendable (Result<Int, any Error>) -> Void = { answer in
                    watch.disarm()
                    self.take(answer)
                }
                self.faults.nothing("the handler is not kept after the start") { Leaks.keep(handler) }
                let handle = self.source.start(handler)
                self.state.withLock { state in
                    self.faults.change("keep the handle") { if state.end != .answered { state.handle = handle } }
                }
            }
        }
    }

    private func take(_ answer: Result<Int, any Error>) {
        self.lock.locked {}
        self.faults.nothing("the answer does not wait") { self.lock.locked { self.lock.locked {} } }
        let (isFirst, handle) = self.state.withLock { state in
            let (isFirst, handle) = (state.end == nil, state.handle)
            if isFirst {
                state.end = .answered
                self.faults.release("forget the handle at the answer", handle) { state.handle = nil }
            }
            return (isFirst, handle)
        }
        guard self.faults.decision("it is the first answer", isFirst) else { return }
        let isError = self.faults.decision("the error stays one", true)
        self.faults.call("resume with the answer", instead: { self.cell.resume(.failure(CancellationError())) }) {
            switch answer {
            case .success(let value): self.cell.resume(.success(self.faults.number("the answer", value)))
            case .failure(let error): self.cell.resume(isError ? .failure(error) : .success(0))
            }
        }
        self.faults.nothing("the work is not stopped at its answer") { handle?.cancel() }
    }

    private func cancel() {
        self.lock.locked {}
        self.faults.nothing("the cancellation does not wait") { self.lock.locked { self.lock.locked {} } }
        let (isFirst, handle) = self.state.withLock { state in
            let isFirst = state.end == nil
            if isFirst { self.faults.change("note the cancellation") { state.end = .cancelled } }
            return (isFirst, state.handle)
        }
        self.faults.nothing("the cancellation calls nobody") { handle?.cancel() }
        guard self.faults.decision("the cancellation is before the answer", isFirst) else { return }
        self.faults.call(
            "resume with the cancellation",
            instead: { self.cell.resume(.success(0)) },
            { self.cell.resume(.failure(CancellationError())) }
        )
    }

    /// Stops the work if the wait for it has been cancelled.
    private func stop() {
        let (isCancelled, handle) = self.state.withLock { state in
            let handle = state.handle
            if handle != nil {
                self.faults.release("forget the handle at the stop", handle) { state.handle = nil }
            }
            return (state.end == .cancelled, handle)
        }
        guard self.faults.decision("the call was cancelled", isCancelled), let handle else { return }
        self.unlocked("unlock before stopping") {
            self.faults.call("stop the work", instead: { self.source.takeBack(0) }, { handle.cancel() })
        }
    }

    /// Does something without the lock that a fault holds, and that the handler takes.
    private func unlocked(_ site: String, _ body: () -> Void) {
        if self.faults.decision(site, true) { body() } else { self.lock.locked(body) }
    }
}

/// Keeps what nothing should keep.
private enum Leaks {
    private static let kept = Mutex<[@Sendable (Result<Int, any Error>) -> Void]>([])

    static func keep(_ handler: @escaping @Sendable (Result<Int, any Error>) -> Void) {
        Self.kept.withLock { $0.append(handler) }
    }
}
