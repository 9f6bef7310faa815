// Right code that looks wrong.

// MARK: Errors that are all caught

func asObject(completion: (Int?, NSError?) -> Void) {
    do {
        try work()
        completion(1, nil)
    } catch let error as NSError {
        completion(nil, error)
    }
}

func asAnyError(completion: @escaping (Int?, (any Error)?) -> Void) throws {
    do {
        try work()
    } catch let error as any Error {
        completion(nil, error)
        return
    } catch {
    }
    completion(1, nil)
}

func asError(completion: (Int?, (any Error)?) -> Void) {
    queue.async {
        do {
            try work()
            completion(1, nil)
        } catch let error as Error {
            completion(nil, error)
        }
    }
}

func asAnother(completion: @escaping (Int?, (any Error)?) -> Void) {
    Task {
        do {  // EXPECT lost-on-throw warning
            try work()
            completion(1, nil)
        } catch let error as URLError {
            completion(nil, error)
        }
    }
}

// MARK: One of two

func halves(_ future: Future, completion: @escaping (Result<Int, any Error>) -> Void) {
    future.whenSuccess { completion(.success($0)) }
    future.whenFailure { completion(.failure($0)) }
}

func oneHalf(_ future: Future, completion: @escaping (Int) -> Void) {
    future.onSuccess { value in
        guard value > 0 else { return }  // EXPECT missing-delivery warning
        completion(value)
    }
}

func chained() async throws -> Int {
    try await withCheckedThrowingContinuation { continuation in
        load().then(continuation.resume(returning:)).catch(continuation.resume(throwing:))
    }
}

func chainedHandlers(completion: @escaping (Int) -> Void, failed: @escaping () -> Void) {
    load().done(completion: completion).recover(completion: completion)
}

// MARK: Once

func timer(completion: @escaping () -> Void) {
    Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in completion() }
}

func oneTimer() async {
    await withCheckedContinuation { continuation in
        Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in continuation.resume() }
    }
}

func manyTimers() async {
    await withCheckedContinuation { continuation in
        Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in
            continuation.resume()  // EXPECT multi-shot-resume warning
        }
    }
}

func firstOfMany() async -> Int {
    await withCheckedContinuation { continuation in
        values.take(1).subscribe { continuation.resume(returning: $0) }
    }
}

func twoOfMany() async -> Int {
    await withCheckedContinuation { continuation in
        values.take(2).subscribe {
            continuation.resume(returning: $0)  // EXPECT multi-shot-resume warning
        }
    }
}

func onlyOnce() async -> Int {
    await withCheckedContinuation { continuation in
        once.run { continuation.resume(returning: 1) }
        once.run { continuation.resume(returning: 2) }
    }
}

func observesAnEnd() async {
    await withCheckedContinuation { continuation in
        source.observe(completionHandler: { continuation.resume() })
    }
}

// MARK: Ends of the program

func crash(_ text: String) -> Never { fatalError(text) }

func crashes(_ flag: Bool, completion: () -> Void) {
    guard flag else { crash("no") }
    completion()
}

final class Crashing {
    func stop() -> Never { fatalError() }

    func crashes(_ flag: Bool, completion: () -> Void) {
        if flag {
            completion()
        } else {
            self.stop()
        }
    }
}

// MARK: Answers of validators

func isValid(_ text: String, completion: (String) -> Void) -> Bool {
    if text.isEmpty {
        completion("empty")
        return false
    }
    return true  // EXPECT missing-delivery note
}

func fault(of text: String, completion: (String) -> Void) -> Fault? {
    guard text.isEmpty else {
        return nil  // EXPECT missing-delivery note
    }
    completion("empty")
    return Fault()
}

// MARK: What has just been made

final class Loader {
    var session: Session?

    func justMade(completion: @escaping () -> Void) {
        session = Session()
        session?.load(completion: completion)
    }

    func justMadeElsewhere(completion: @escaping () -> Void) {
        self.session = Session(1)
        session?.load { completion() }
    }

    func perhapsMade(completion: @escaping () -> Void) {
        session?.load(completion: completion)
    }  // EXPECT optional-receiver-drop note

    func madeAndForgotten(completion: @escaping () -> Void) {
        session = Session()
        session = other
        session?.load(completion: completion)
    }  // EXPECT optional-receiver-drop note
}

// MARK: Functions with the names of others

final class Store {
    func sync(_ text: String, completion: @escaping () -> Void) { queue.async { completion() } }

    func save(completion: @escaping () -> Void) {
        sync("a") { completion() }
    }
}

func executed(_ flag: Bool, completion: @escaping () -> Void) {
    guard flag else { return }  // EXPECT missing-delivery warning
    queue.async(execute: completion)
}

func executedTwice(completion: @escaping () -> Void) {
    completion()
    queue.async(execute: completion)  // EXPECT double-delivery error
}

func decides(_ flag: Bool, decisionHandler: @escaping (Policy) -> Void) {
    guard flag else { return }  // EXPECT missing-delivery warning
    decisionHandler(.allow)
}

// MARK: What the code says

class Base {
    func placeholder(_ completion: @escaping (Int) -> Void) {  // EXPECT never-delivered note
        log("A placeholder: each implementation has its own.")
    }

    func message(_ completion: @escaping (Int) -> Void) {  // EXPECT never-delivered warning
        log("Started.")
    }

    func debounced(completion: @escaping (Int) -> Void) {
        // Debounce several attempts.
        guard !isBusy else { return }  // EXPECT missing-delivery note
        completion(1)
    }
}

// MARK: What is always there

func inBothBranches(_ flag: Bool, completion: @escaping () -> Void) {
    let parameters: [String: Int]?
    if flag {
        parameters = ["a": 1]
    } else {
        parameters = [:]
    }
    if let parameters {
        send(parameters, completion: completion)
    }
}

func inOneBranch(_ flag: Bool, completion: @escaping () -> Void) {
    var parameters: [Int]?
    if flag { parameters = [1] }
    if let parameters {  // EXPECT missing-delivery warning
        send(parameters, completion: completion)
    }
}

final class Operations {
    func complete(_ id: Int, completion: () -> Void) {
        let operation = state.withLock { state in state.operations.removeValue(forKey: id) }
        guard let operation else { return }
        completion()
    }

    func find(_ id: Int, completion: () -> Void) {
        let operation = state.withLock { state in state.operations[id] }
        guard let operation else { return }  // EXPECT missing-delivery warning
        completion()
    }
}
