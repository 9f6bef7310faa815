// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Testing

@Suite("withCallback(throwing:)", .timeLimit(.minutes(10)))
struct TypedTests {
    /// The typed forms, driven alike.
    enum Form: CaseIterable {
        case plain
        case withAction
    }

    /// What a wait came to, comparable.
    enum End: Equatable {
        case value(Int)
        case failure(APIError)
        case cancelled
        case fault(BridgeFault)
    }

    private final class Wait: Sendable {
        let place = Place()
        let callback = Slot<Callback<Int, APIError>>()
        let starts = Log<Void>()
        let cancelled = Log<Int>()
        let driven: HandDriven<End>

        init(_ form: Form, _ mode: CancellationMode = .prompt) {
            let (place, callback, starts) = (self.place, self.callback, self.starts)
            let cancelled = self.cancelled
            let start: @Sendable (Callback<Int, APIError>) -> Void = {
                starts(())
                callback.put($0)
            }
            let (line, id) = (place.line, Place.fileID)
            self.driven = HandDriven {
                do throws(BridgeError<APIError>) {
                    switch form {
                    case .plain:
                        return .value(
                            try await withCallback(
                                throwing: APIError.self,
                                cancellation: mode,
                                fileID: id,
                                line: line,
                                start
                            )
                        )
                    case .withAction:
                        return .value(
                            try await withCallback(
                                throwing: APIError.self,
                                cancellation: mode,
                                fileID: id,
                                line: line
                            ) {
                                start($0)
                                return 42
                            } onCancel: {
                                cancelled($0)
                            }
                        )
                    }
                } catch {
                    switch error {
                    case .failure(let failure): return .failure(failure)
                    case .interruption(.cancelled): return .cancelled
                    case .interruption(.fault(let fault)): return .fault(fault)
                    }
                }
            }
        }

        deinit {
            self.callback.take()
            self.driven.turn()
        }

        var end: End? { try? self.driven.get() }

        func parked() -> Wait {
            self.driven.turn()
            return self
        }
    }

    @Test(arguments: Form.allCases)
    func `returns the value`(_ form: Form) {
        let wait = Wait(form).parked()
        #expect(wait.end == nil)
        #expect(wait.callback.value?.resume(returning: 3) == true)
        wait.driven.turn()
        #expect(wait.end == .value(3))
    }

    @Test(arguments: Form.allCases)
    func `throws the API's error`(_ form: Form) {
        let wait = Wait(form).parked()
        #expect(wait.callback.value?.resume(throwing: APIError(code: 4)) == true)
        wait.driven.turn()
        #expect(wait.end == .failure(APIError(code: 4)))
    }

    @Test(arguments: Form.allCases)
    func `a prompt cancellation is an interruption`(_ form: Form) {
        let wait = Wait(form).parked()
        wait.driven.cancel()
        wait.driven.turn()
        #expect(wait.end == .cancelled)
        #expect(wait.cancelled.all == (form == .withAction ? [42] : []))
        #expect(wait.callback.value?.resume(returning: 3) == false)
    }

    @Test(arguments: Form.allCases)
    func `a cooperative cancellation waits for the answer`(_ form: Form) {
        let wait = Wait(form, .cooperative).parked()
        wait.driven.cancel()
        wait.driven.turn()
        #expect(wait.end == nil)
        #expect(wait.cancelled.all == (form == .withAction ? [42] : []))
        wait.callback.value?.resume(throwing: APIError(code: 4))
        wait.driven.turn()
        #expect(wait.end == .failure(APIError(code: 4)))
    }

    @Test(arguments: Form.allCases)
    func `does not start in a task cancelled already`(_ form: Form) {
        let wait = Wait(form)
        wait.driven.cancel()
        wait.driven.turn()
        #expect(wait.end == .cancelled)
        #expect(wait.starts.count == 0)
        #expect(wait.cancelled.count == 0)
    }

    @Test(arguments: Form.allCases, [false, true])
    func `an ignored cancellation changes nothing`(_ form: Form, before: Bool) {
        let wait = Wait(form, .ignore)
        if !before { wait.driven.turn() }
        wait.driven.cancel()
        wait.driven.turn()
        #expect(wait.end == nil)
        #expect(wait.starts.count == 1)
        wait.callback.value?.resume(throwing: APIError(code: 4))
        wait.driven.turn()
        #expect(wait.end == .failure(APIError(code: 4)))
        #expect(wait.cancelled.count == 0)
    }

    @Test(arguments: Form.allCases)
    func `a dropped callback is an interruption`(_ form: Form) {
        let wait = Wait(form).parked()
        wait.callback.take()
        wait.driven.turn()
        let fault = BridgeFault(.callbackDropped, made: wait.place.site)
        #expect(wait.end == .fault(fault))
    }

    @Test(arguments: [false, true])
    func `answers in start arrive at once`(fails: Bool) async {
        let result: Result<Int, APIError> = fails ? .failure(APIError(code: 4)) : .success(3)
        let plain = await asResult { () async throws(BridgeError<APIError>) in
            try await withCallback(throwing: APIError.self) { callback in callback.resume(with: result) }
        }
        switch plain {
        case .success(let value): #expect(result == .success(value))
        case .failure(.failure(let error)): #expect(result == .failure(error))
        case .failure(.interruption(let interruption)): Issue.record("\(interruption)")
        }
    }

    @Test func `times out as an interruption`() async {
        let (clock, place) = (CountedClock(), Place())
        let task = Task {
            await asResult { () async throws(BridgeError<APIError>) in
                try await withCallback(
                    of: Int.self,
                    throwing: APIError.self,
                    timeout: .after(.seconds(1), on: clock),
                    fileID: Place.fileID,
                    line: place.line
                ) { callback in
                    callback.onCancel { _ = callback }
                }
            }
        }
        await clock.hasSleeper()
        clock.advance(by: .seconds(1))
        guard case .failure(.interruption(.fault(let fault))) = await task.value else {
            Issue.record("not timed out")
            return
        }
        #expect(fault == BridgeFault(.timedOut, made: place.site))
    }
}

/// `Result(catching:)` for async functions, which Swift 6.3 does not have.
func asResult<Value: Sendable, Failure>(
    _ body: () async throws(Failure) -> Value
) async -> Result<Value, Failure> {
    do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
}
