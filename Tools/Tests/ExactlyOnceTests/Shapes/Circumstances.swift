// What the code around a delivery says of it: names, types, comments, what comes before.

// MARK: A variable that nobody assigns

func neverExpires(completion: @escaping (Bool) -> Void) {
    let group = DispatchGroup()
    var expired = false
    group.notify(queue: .main) {
        if !expired { completion(true) }
    }
}

func mayExpire(_ worker: Worker, completion: @escaping (Bool) -> Void) {
    var expired = false
    worker.expire(&expired)
    queue.async {
        if !expired { completion(true) }  // EXPECT missing-delivery warning
    }
}

func isAssigned(_ input: Input, completion: @escaping (Bool) -> Void) {
    var isEmpty = false
    if input.isBlank { isEmpty = true }
    guard !isEmpty else { return }  // EXPECT missing-delivery warning
    completion(true)
}

func isToggled(_ input: Input, completion: @escaping (Bool) -> Void) {
    var isWanted = false
    isWanted.toggle()
    guard !isWanted else { return }  // EXPECT missing-delivery warning
    completion(true)
}

func isShadowed(_ input: Input, completion: @escaping (Bool) -> Void) {
    let isWanted = true
    input.read { isWanted in
        guard isWanted else { return }  // EXPECT missing-delivery warning
        completion(isWanted)
    }
}

// MARK: The first of several

func firstPort(_ ports: [Int], completion: @escaping (Int?) -> Void) {
    queue.async {
        var isFound = false
        for port in ports {  // EXPECT missing-delivery note
            self.ping(port) { answers in
                let isFirst = lock.sync { () -> Bool in
                    guard answers && !isFound else { return false }
                    isFound = true
                    return true
                }
                guard isFirst else { return }
                completion(port)
            }
        }
    }
}

func everyPort(_ ports: [Int], completion: @escaping (Int?) -> Void) {
    queue.async {
        for port in ports {  // EXPECT missing-delivery note
            self.ping(port) { answers in
                let isOpen = lock.sync { () -> Bool in
                    guard answers else { return false }
                    return true
                }
                guard isOpen else { return }
                completion(port)  // EXPECT deliver-in-loop warning
            }
        }
    }
}

// MARK: Names

func install(interceptCompletion: @escaping (Data?) -> Void) {
    first.install(handler: interceptCompletion)
    interceptCompletion(nil)
    interceptCompletion(nil)
}

func poll(_ allowsIntermediateAnswers: Bool, completion: @escaping (Int) -> Void) {
    if allowsIntermediateAnswers { completion(1) }
    completion(2)
}

func pollTwice(_ isVerbose: Bool, completion: @escaping (Int) -> Void) {
    if isVerbose { completion(1) }
    completion(2)  // EXPECT double-delivery error
}

// MARK: Another one answers

func enqueue(completion: ((Error?) -> Void)? = nil, _ work: @escaping (_ done: @escaping () -> Void) -> Void) {
    queue.add { [weak self] done in
        guard let self else {  // EXPECT missing-delivery note
            completion?(QueueError.gone)
            done()
            return
        }
        work(done)
    }
}

func enqueue(_ name: String, completion: ((Error?) -> Void)? = nil, log: @escaping (String) -> String) {
    queue.add { [weak self] done in
        guard let self else {
            completion?(QueueError.gone)
            return
        }
        if log(name).isEmpty {  // EXPECT missing-delivery warning
            completion?(nil)
        }
    }
}

// MARK: All ends are there

func export(_ session: Session, completion: @escaping (URL?) -> Void) {
    session.export(completionHandler: {
        switch session.status {
        case .failed, .cancelled: completion(nil)
        case .completed: completion(session.url)
        default: break  // EXPECT missing-delivery note
        }
    })
}

func load(_ session: Session, completion: @escaping (URL?) -> Void) {
    session.load(completionHandler: {
        switch session.status {
        case .failed: completion(nil)
        case .completed: completion(session.url)
        default: break  // EXPECT missing-delivery warning
        }
    })
}

// MARK: The program ends

final class Migration {
    func migrate(completion: @escaping () -> Void) {
        do {
            try copy()
            restart()
        } catch {
            completion()
        }
    }

    func repair(completion: @escaping () -> Void) {
        do {
            try copy()
            reload()
        } catch {
            completion()
        }
    }  // EXPECT missing-delivery warning

    private func restart() {
        process.launch()
        exit(0)
    }

    private func reload() {
        guard isBroken else { return }
        exit(0)
    }
}

// MARK: One of all cases

enum Kind: CaseIterable {
    case low, high
}

func answer(_ id: String, completion: @escaping (Kind) -> Void) {
    for kind in Kind.allCases {
        log(kind)
        if kind.id == id {
            completion(kind)  // EXPECT deliver-in-loop note
        }
    }
}

func answerAny(_ id: String, completion: @escaping (Kind) -> Void) {
    for kind in Kind.allCases {
        log(kind)
        if kind.id == id || kind.isOld {
            completion(kind)  // EXPECT deliver-in-loop warning
        }
    }
}

// MARK: The wait of an earlier caller is ended before

final class Keys {
    private var continuation: CheckedContinuation<Key, any Error>?

    func authorize() async throws -> Key {
        cancelPendingAuthorization()
        return try await withCheckedThrowingContinuation { continuation in
            self.continuation = continuation
            controller.start()
        }
    }

    func ask() async throws -> Key {
        prepareController()
        return try await withCheckedThrowingContinuation { continuation in
            self.continuation = continuation  // EXPECT stored-overwrite warning
            controller.start()
        }
    }

    private func cancelPendingAuthorization() { controller.cancel() }
    private func prepareController() { controller.prepare() }

    func finish(_ key: Key) {
        continuation?.resume(returning: key)
        continuation = nil
    }
}

// MARK: Two handlers, of which one has answered

func schedule(fetchCompletion: ((Bool) -> Void)?, completion: @escaping (Int) -> Void) {
    queue.async {
        if state == .fetching { fetchCompletion?(true) }
    }
    completion(1)
}

// MARK: A comment says when

/// The completion is called if the image was copied.
func copy(_ image: Image, completion: @escaping () -> Void) {
    guard store.copies(image) else { return }  // EXPECT missing-delivery note
    completion()
}
