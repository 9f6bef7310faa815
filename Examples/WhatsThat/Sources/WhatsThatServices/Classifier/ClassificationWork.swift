// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Synchronization

/// The work for one image, which may be cancelled at any moment.
///
/// | State      | Means                                            | Next                            |
/// |------------|--------------------------------------------------|---------------------------------|
/// | `waiting`  | for a place in the queue                         | `decoding`, `ended`             |
/// | `decoding` | the queue works on it                            | `running`, `stopping`, `ended`  |
/// | `running`  | the model works on it, or will                   | `stopping`, `ended`             |
/// | `stopping` | cancelled; the queue or the model has not ended  | `ended`                         |
/// | `ended`    | the completion was called                        | —                               |
///
/// Invariant: the completion leaves this object once.
final class ClassificationWork: Sendable {
    typealias Completion = @Sendable (Result<ImageClassifierService.Classification, any Error>) -> Void

    private enum State {
        case waiting(Completion)
        case decoding(Completion)
        case running(CallHandle, Completion)
        case stopping(Completion)
        case ended
    }

    private let state: Mutex<State>

    init(_ completion: @escaping Completion) { self.state = Mutex(.waiting(completion)) }

    /// The queue has a place.
    ///
    /// - Returns: Whether there is anything to do.
    func begin() -> Bool {
        self.state.withLock { state in
            guard case .waiting(let completion) = state else { return false }
            state = .decoding(completion)
            return true
        }
    }

    /// Starts the model, unless the work was cancelled.
    func run(_ start: (_ done: @escaping Completion) -> CallHandle) throws {
        let isStopping = self.state.withLock { if case .stopping = $0 { true } else { false } }
        if isStopping { throw CancellationError() }
        let run = start { self.end(with: $0) }
        let isTooLate = self.state.withLock { state in
            switch state {
            case .decoding(let completion):
                state = .running(run, completion)
                return false
            case .stopping:
                // Race: it was cancelled while the model was started.
                return true
            case .waiting, .running, .ended:
                // Race: the model has ended already.
                return false
            }
        }
        if isTooLate { run.cancel() }
    }

    /// There is a result.
    func end(with result: Result<ImageClassifierService.Classification, any Error>) {
        let completion: Completion? = self.state.withLock { state in
            switch state {
            case .waiting(let completion), .decoding(let completion), .running(_, let completion),
                .stopping(let completion):
                state = .ended
                return completion
            case .ended:
                return nil
            }
        }
        completion?(result)
    }

    func cancel() {
        enum Action {
            case end(Completion)
            case stop(CallHandle)
            case nothing
        }
        let action: Action = self.state.withLock { state in
            switch state {
            case .waiting(let completion):
                state = .ended
                return .end(completion)
            case .decoding(let completion):
                state = .stopping(completion)
                return .nothing
            case .running(let run, let completion):
                state = .stopping(completion)
                return .stop(run)
            case .stopping, .ended:
                return .nothing
            }
        }
        switch action {
        case .end(let completion): completion(.failure(CancellationError()))
        case .stop(let run): run.cancel()
        case .nothing: break
        }
    }
}
