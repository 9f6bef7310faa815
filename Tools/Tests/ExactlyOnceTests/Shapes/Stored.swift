// Continuations that are stored, taken out, and dropped; semaphores.

final class Location {
    private var continuation: CheckedContinuation<Int, any Error>?

    func overwrites() async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            self.continuation = continuation  // EXPECT stored-overwrite warning
            start()
        }
    }

    func checksFirst() async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            guard self.continuation == nil else { return continuation.resume(throwing: Busy()) }
            self.continuation = continuation
        }
    }

    func checksByName() async throws -> Int {
        if isBusy { throw Busy() }
        return try await withCheckedThrowingContinuation { continuation in
            self.continuation = continuation
        }
    }

    func checksTooLate() async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            self.continuation = continuation  // EXPECT stored-overwrite warning
            if isBusy { start() }
        }
    }

    func checksSomethingElse() async throws -> Int {
        if isReady { throw Busy() }
        return try await withCheckedThrowingContinuation { continuation in
            self.continuation = continuation  // EXPECT stored-overwrite warning
        }
    }

    private var isBusy: Bool { continuation != nil }
    private var isReady: Bool { start() }

    func resumesFirst() async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            self.continuation?.resume(throwing: Busy())
            self.continuation = continuation
        }
    }

    func manager(_ manager: Manager, didUpdate value: Int) {
        continuation?.resume(returning: value)  // EXPECT stored-not-cleared warning
    }

    func clears(_ value: Int) {
        continuation?.resume(returning: value)
        continuation = nil
    }

    func clearsByDefer(_ value: Int) {
        defer { self.continuation = nil }
        continuation?.resume(returning: value)
    }

    func clearsOnOneWay(_ value: Int) {
        if value > 0 {
            continuation?.resume(returning: value)
            continuation = nil
        } else {
            continuation?.resume(throwing: Failure())  // EXPECT stored-not-cleared note
        }
    }

    func drops() {
        stop()
        continuation = nil  // EXPECT stored-dropped warning
    }

    func dropsIfAbsent() {
        if continuation == nil { start() }
    }

    func twice(_ value: Int) {
        continuation?.resume(returning: value)
        continuation?.resume(returning: value)  // EXPECT double-delivery warning
        continuation = nil
    }

    func takesOut(_ value: Int) {
        let waiting = continuation
        continuation = nil
        waiting?.resume(returning: value)
    }

    func takesOutAndLoses(_ value: Int) {
        let waiting = continuation
        continuation = nil
        if value > 0 {  // EXPECT missing-delivery warning
            waiting?.resume(returning: value)
        }
    }

    func takesOutAndResumesTwice(_ value: Int) {
        guard let waiting = continuation else { return }
        continuation = nil
        if value < 0 {
            waiting.resume(throwing: Failure())
        }
        waiting.resume(returning: value)  // EXPECT double-delivery error
    }

    func unwraps(_ value: Int) {
        guard let continuation else { return }
        continuation.resume(returning: value)
        self.continuation = nil
    }

    func handsBack() {
        let waiting = continuation
        continuation = nil
        queue.append(waiting)
    }
}

/// Its own observer does not ask whether somebody waits.
final class Observed {
    private var continuation: CheckedContinuation<Int, any Error>? {
        didSet { if continuation == nil { expected = nil } }
    }

    func overwritesObserved() async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            self.continuation = continuation  // EXPECT stored-overwrite warning
        }
    }
}

final class Parker {
    private var continuation: UnsafeContinuation<Void, Never>?

    func parks() async {
        await withUnsafeContinuation { continuation in
            self.continuation = continuation  // EXPECT stored-overwrite note
        }
    }

    func wakes(_ waker: Waker, didWake value: Int) {
        continuation?.resume()  // EXPECT stored-not-cleared note
    }

    func forgets() {
        continuation = nil  // EXPECT stored-dropped note
    }
}

func oneOfAPair(_ flag: Bool, onSuccess completion: () -> Void) {
    if flag { completion() }
}

struct Machine {
    enum State {
        case idle
        case waiting(CheckedContinuation<Int, Never>)
    }

    var state = State.idle
    var waiters: [Int: CheckedContinuation<Int, Never>] = [:]

    mutating func resumes(_ value: Int) {
        switch state {
        case .idle: break
        case .waiting(let continuation):
            state = .idle
            continuation.resume(returning: value)
        }
    }

    mutating func loses(_ value: Int) {
        switch state {
        case .idle: break
        case .waiting(let continuation):
            state = .idle
            guard value > 0 else { return }  // EXPECT missing-delivery warning
            continuation.resume(returning: value)
        }
    }

    mutating func resumesTwice(_ value: Int) {
        if case .waiting(let continuation) = state {
            state = .idle
            continuation.resume(returning: value)
            continuation.resume(returning: value)  // EXPECT double-delivery error
        }
    }

    mutating func answers() -> Action {
        switch state {
        case .idle: return .none
        case .waiting(let continuation):
            state = .idle
            return .resume(continuation)
        }
    }

    func onlyLooks(_ value: Int) {
        if case .waiting(let continuation) = state {
            if value > 0 { continuation.resume(returning: value) }
        }
    }

    mutating func removes(_ id: Int, _ value: Int) {
        guard let continuation = waiters.removeValue(forKey: id) else { return }
        continuation.resume(returning: value)
    }

    mutating func removesAndLoses(_ id: Int, _ value: Int) {
        guard let continuation = waiters.removeValue(forKey: id) else { return }
        if value > 0 {  // EXPECT missing-delivery warning
            continuation.resume(returning: value)
        }
    }
}

func blocksOnTask() -> Int {
    let semaphore = DispatchSemaphore(value: 0)
    Task {
        await work()
        semaphore.signal()
    }
    semaphore.wait()  // EXPECT semaphore-over-task error
    return 1
}

func blocksOnTaskForATime() -> Int {
    let semaphore = DispatchSemaphore(value: 0)
    Task {
        await work()
        semaphore.signal()
    }
    _ = semaphore.wait(timeout: .now() + 1)  // EXPECT semaphore-over-task warning
    return 1
}

func blocksInAsync() async -> Int {
    let semaphore = DispatchSemaphore(value: 0)
    load { semaphore.signal() }
    semaphore.wait()  // EXPECT semaphore-in-async warning
    return 1
}

func blocksThread() -> Int {
    let semaphore = DispatchSemaphore(value: 0)
    load { semaphore.signal() }
    semaphore.wait()
    return 1
}

func waitsAsync(_ semaphore: AsyncSemaphore) async {
    await semaphore.wait()
}
