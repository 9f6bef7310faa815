// Continuations that a type announces, whatever their names are.

typealias Waiter = CheckedContinuation<Int, any Error>

// MARK: Parameters

func resumesOnOnePath(_ flag: Bool, _ waiter: CheckedContinuation<Int, Never>) {
    guard flag else { return }  // EXPECT missing-delivery warning
    waiter.resume(returning: 1)
}

func resumesTwice(_ waiter: UnsafeContinuation<Int, Never>) {
    waiter.resume(returning: 1)
    waiter.resume(returning: 2)  // EXPECT double-delivery error
}

func resumesNever(_ waiter: Waiter) {  // EXPECT never-delivered warning
    print(1)
}

func resumesOnce(_ flag: Bool, with waiter: Waiter) {
    if flag { waiter.resume(returning: 1) } else { waiter.resume(throwing: Broken()) }
}

func stores(_ waiter: Waiter) { waiters.append(waiter) }

func ignores(_: CheckedContinuation<Int, Never>) { print(1) }

func overHelper() async throws -> Int {
    try await withCheckedThrowingContinuation { continuation in
        resumesOnce(true, with: continuation)
        continuation.resume(returning: 2)  // EXPECT double-delivery warning
    }
}

func overHelperOnce() async throws -> Int {
    try await withCheckedThrowingContinuation { continuation in
        resumesOnce(true, with: continuation)
    }
}

func overHelperOnOnePath(_ flag: Bool) async throws -> Int {
    try await withCheckedThrowingContinuation { continuation in
        guard flag else { return }  // EXPECT missing-delivery error
        resumesOnce(true, with: continuation)
    }
}

// Two functions of one name and one kind of call: which of them is meant only types tell.
struct OneWay {
    func hand(_ continuation: CheckedContinuation<Int, any Error>, over flag: Bool) {
        continuation.resume(returning: flag ? 1 : 0)
    }
}
final class OtherWay {
    private let queue = Waiters()
    func hand(_ continuation: CheckedContinuation<Int, any Error>, over flag: Bool) { queue.add(continuation, flag) }
}

func overHelperOfTwoMeanings(_ way: OtherWay) async throws -> Int {
    try await withCheckedThrowingContinuation { continuation in
        way.hand(continuation, over: true)
        continuation.resume(returning: 2)
    }
}

// MARK: Stores

final class Gate {
    enum State {
        case idle
        case waiting(for: Int, CheckedContinuation<Int, Never>)
    }

    var state = State.idle
    var waiter: Waiter?
    var others: [Int: Waiter] = [:]

    func openTwice() {
        if let current = waiter {
            waiter = nil
            current.resume(returning: 1)
            current.resume(returning: 2)  // EXPECT double-delivery error
        }
    }

    func loses(_ flag: Bool) {
        guard let current = waiter else { return }
        waiter = nil
        guard flag else { return }  // EXPECT missing-delivery warning
        current.resume(returning: 1)
    }

    func losesOneOfMany(_ id: Int, _ flag: Bool) {
        guard let current = others.removeValue(forKey: id) else { return }
        guard flag else { return }  // EXPECT missing-delivery warning
        current.resume(returning: 1)
    }

    func losesPayload(_ flag: Bool) {
        switch state {
        case .idle: break
        case .waiting(let id, let current):
            state = .idle
            guard flag else { return }  // EXPECT missing-delivery warning
            current.resume(returning: id)
        }
    }

    func opens() {
        guard case .waiting(_, let current) = state else { return }
        state = .idle
        current.resume(returning: 1)
    }

    deinit {
        if let current = waiter {
            waiter = nil
            current.resume(throwing: Broken())
            current.resume(throwing: Broken())  // EXPECT double-delivery error
        }
    }

    var isOpen = false {
        didSet {
            guard let current = waiter else { return }
            waiter = nil
            guard isOpen else { return }  // EXPECT missing-delivery warning
            current.resume(returning: 1)
        }
    }
}
