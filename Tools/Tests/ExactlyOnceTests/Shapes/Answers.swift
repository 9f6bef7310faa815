// Answers by other ways than the handler: another handler, the function's value, a button that is not there.

func retriesInstead(_ token: Token, retryOnError: () throws -> Void?, completion: @escaping (Int) -> Void) throws {
    switch token.status {
    case .chargeable: completion(1)
    case .failed: try retryOnError()  // EXPECT missing-delivery note
    }
}

func transforms(_ token: Token, transform: (Token) -> Int?, completion: @escaping (Int) -> Void) {
    // A closure that answers a value is no handler.
    if let value = transform(token) {  // EXPECT missing-delivery warning
        completion(value)
    }
}

func saysWhatWentWrong(_ files: [File], completion: @escaping () -> Void) -> String? {
    guard let session = session() else { return "no session" }  // EXPECT missing-delivery note
    session.upload(files, completion: completion)
    return nil
}

func saysNothingOfIt(_ files: [File], completion: @escaping () -> Void) -> String? {
    guard let session = session() else { return nil }  // EXPECT missing-delivery warning
    session.upload(files, completion: completion)
    return nil
}

func answersATaskOrAnother(_ files: [File], completion: @escaping () -> Void) -> Request? {
    guard let session = session() else { return Request() }  // EXPECT missing-delivery warning
    session.upload(files, completion: completion)
    return session.request
}

func alert(_ title: String?, secondCompletion: (() -> Void)? = nil) -> Alert {
    let alert = Alert()
    if let title {
        alert.add(AlertAction(title: title, handler: { _ in secondCompletion?() }))
    }
    return alert  // EXPECT missing-delivery note
}

func alertWithAnswer(_ title: String?, completion: @escaping (Int) -> Void) -> Alert? {
    guard let alert = Alert() else { return nil }  // EXPECT missing-delivery note
    if let title {
        alert.add(AlertAction(title: title, handler: { _ in completion(1) }))
    }
    return alert
}

func alertNowhere(_ choices: [Int], completion: @escaping (Int) -> Void) {
    let alert = Alert()
    guard let controller else { return }  // EXPECT missing-delivery warning
    for choice in choices {  // EXPECT missing-delivery note
        alert.add(AlertAction(title: "\(choice)", handler: { _ in completion(choice) }))
    }
    controller.show(alert)
}

func ownFlagOfAClosure(_ input: Input, completion: @escaping (Error?) -> Void) {
    input.whenReady(using: {
        var isRunning = true
        while input.isReady, isRunning {
            if let buffer = input.next() {
                input.append(buffer)
            } else {
                completion(input.error)
                isRunning = false
            }
        }
    })
}

func ownFlagThatIsNotSet(_ input: Input, completion: @escaping (Error?) -> Void) {
    input.whenReady(using: {
        let isRunning = true
        while input.isReady, isRunning {
            if let buffer = input.next() {
                input.append(buffer)
            } else {
                completion(input.error)  // EXPECT deliver-in-loop warning
            }
        }
    })
}

func flagOfAnother(_ input: Input, completion: @escaping (Error?) -> Void) {
    var hasMore = true
    input.whenReady(using: { hasMore = false })
    while hasMore {
        completion(input.error)  // EXPECT deliver-in-loop warning
        hasMore = input.hasMore
    }
    completion(nil)  // EXPECT double-delivery error
}

final class Flow {
    private let stepCompletion: (FlowStep) -> Void

    init(stepCompletion: @escaping (FlowStep) -> Void) { self.stepCompletion = stepCompletion }

    func finish(_ data: Data) {
        stepCompletion(.dataIsThere(data))
        stepCompletion(.finished)  // EXPECT double-delivery note
    }

    func finishTwice(_ data: Data) {
        stepCompletion(.finished)
        stepCompletion(.finished)  // EXPECT double-delivery warning
    }

    func finishAfterAnError(_ error: (any Error)?) {
        if let error { stepCompletion(.failed(error)) }
        stepCompletion(.finished)  // EXPECT double-delivery warning
    }
}

func lastOfMany(_ users: [User], completion: @escaping () -> Void) {
    let done = Counter()
    for user in users {
        api.fetch(user) { error in
            let doneSoFar = done.increment()
            if doneSoFar == users.count { completion() }
        }
    }
    if users.isEmpty { completion() }
}

func oneOfManyAnswers(_ users: [User], completion: @escaping (Int) -> Void) {
    for user in users {  // EXPECT missing-delivery note
        api.fetch(user) { response in
            if response.statusCode == 200 { completion(1) }  // EXPECT deliver-in-loop warning
        }
    }
}

func emptyOrEach(_ items: [Int], completion: (() -> Void)?) {
    for item in items { socket.write(item, completion: completion) }  // EXPECT deliver-in-loop warning
    if items.count == 0 { completion?() }
}

func emptyAndEach(_ items: [Int], completion: (() -> Void)?) {
    for item in items { socket.write(item, completion: completion) }  // EXPECT deliver-in-loop warning
    if items.count > 0 { completion?() }  // EXPECT double-delivery warning
}

func notEmpty(_ items: [Int], completion: @escaping (Int) -> Void) {
    guard !items.isEmpty else { return completion(0) }
    for item in items {
        completion(item)
        break
    }
}

func mayBeEmpty(_ items: [Int], completion: @escaping (Int) -> Void) {
    for item in items {  // EXPECT missing-delivery warning
        completion(item)
        break
    }
}

func writesThenAnswers(completion: @escaping (Result<Int, any Error>) -> Void) {
    var model: Int?
    database.write(
        { session in model = session.model() },
        completion: { error in
            if let error {
                completion(.failure(error))
            } else if let model {  // EXPECT missing-delivery note
                completion(.success(model))
            }
        }
    )
}

func writesAndForgetsTheError(completion: @escaping (Result<Int, any Error>) -> Void) {
    var model: Int?
    database.write(
        { session in model = session.model() },
        completion: { error in
            if let model {  // EXPECT missing-delivery warning
                completion(.success(model))
            }
        }
    )
}

func settlesOnce() async {
    await withCheckedContinuation { continuation in
        connection.subscribe { value in
            settleOnce { continuation.resume() }
        }
    }
}

func expires(completion: @escaping () -> Void) {
    ProcessInfo.processInfo.performExpiringActivity(withReason: "sync") { expired in
        if expired { return }
        completion()
    }
}

func consumesARight(_ state: State, completion: @escaping (Int) -> Void) async {
    await MainActor.run {
        guard state.consumeToken() else { return }
        completion(1)
    }
}

func answersFromACache(_ hasCachedImage: Bool, completion: @escaping (Image?) -> Void) {
    client.get { image in
        if let image {
            completion(image)
        } else if !hasCachedImage {
            completion(nil)
        }
    }
}

func eachResult(_ futures: [Future], onResult: @escaping (Int, Result<Int, any Error>) -> Void) {
    guard !futures.isEmpty else { return }  // EXPECT missing-delivery note
    for (index, future) in futures.enumerated() {
        onResult(index, future.result)  // EXPECT deliver-in-loop note
    }
}

func debounced(_ value: Int, completion: @escaping (Int) -> Void) {
    guard value != last else { return }  // EXPECT missing-delivery note
    completion(value)
}

/// Loads a picture.
///
/// The completion may be called twice: first with what the cache has.
func documentedTwice(completion: @escaping (Image?) -> Void) {
    if let cached { completion(cached) }
    load(completion: completion)  // EXPECT double-delivery note
}

/// Loads a picture.
///
/// The completion will not necessarily be called.
func documentedPerhaps(_ flag: Bool, completion: @escaping (Image?) -> Void) {
    guard flag else { return }  // EXPECT missing-delivery note
    completion(nil)
}

/// Loads a picture.
///
/// The completion must not be called twice.
func documentedOnce(completion: @escaping (Image?) -> Void) {
    if let cached { completion(cached) }
    load(completion: completion)  // EXPECT double-delivery warning
}

func documentedAtTheReturn(completion: @escaping (Int) -> Void) {
    client.get { outcome in
        if outcome.isStale {
            // The next screen appears, so we don't call the completion.
            return  // EXPECT missing-delivery note
        }
        completion(outcome.value)
    }
}

func anotherCommentAtTheReturn(completion: @escaping (Int) -> Void) {
    client.get { outcome in
        if outcome.isStale {
            // Old data.
            return  // EXPECT missing-delivery warning
        }
        completion(outcome.value)
    }
}

final class Screen {
    func noWork(completion: @escaping (Int) -> Void) {  // EXPECT never-delivered note
        // Nothing to do on this system.
    }

    func forgotten(completion: @escaping (Int) -> Void) {}  // EXPECT never-delivered warning
}

func permission() async -> Status {
    await withCheckedContinuation { continuation in
        delegate = LocationDelegate { status in
            if status != .notDetermined { continuation.resume(returning: status) }
        }
    }
}

func handlersOfValues() {
    session.send(message, replyHandler: { reply in print("sent") }, errorHandler: { error in print(error) })
}

actor Waiter {
    private var state = State()

    func write(_ value: Int) -> Bool {
        if let continuation = state.continuation {
            guard value > 0 else { return false }
            state.continuation = nil
            continuation.resume()
        }
        return true
    }

    func writeTooLate(_ value: Int) -> Bool {
        if let continuation = state.continuation {
            state.continuation = nil
            guard value > 0 else { return false }  // EXPECT missing-delivery warning
            continuation.resume()
        }
        return true
    }
}

func flagOfAClosureInPlace(_ input: Input, completion: @escaping (Error?) -> Void) {
    var bytes: [UInt8] = []
    var didFail = false
    bytes.withUnsafeMutableBytes { buffer in
        guard input.read(buffer) else {
            completion(input.error)
            didFail = true
            return
        }
    }
    if didFail { return }
    completion(nil)
}

func onlyTheClosureReturns(_ input: Input, completion: @escaping (Error?) -> Void) {
    var bytes: [UInt8] = []
    bytes.withUnsafeMutableBytes { buffer in
        guard input.read(buffer) else {
            completion(input.error)
            return
        }
    }
    completion(nil)  // EXPECT double-delivery error
}

func observesUntilDone(completion: @escaping () -> Void) {
    machine.transition(.start) { result in
        switch result {
        case .success(.rendering):
            completion()
            return true
        default:
            return false  // EXPECT missing-delivery note
        }
    }
}

func observesAndForgets(completion: @escaping () -> Void) {
    machine.transition(.start) { result in
        switch result {
        case .success(.rendering):
            completion()
            return true
        default:
            return true  // EXPECT missing-delivery warning
        }
    }
}

func expiresOrEnds(completion: @escaping (Bool) -> Void) {
    var expired = false
    task = application.beginTask {
        expired = true
        completion(false)
    }
    group.notify(queue: .main) {
        if !expired { completion(true) }
    }
}

func failsOrEnds(completion: @escaping (Bool) -> Void) {
    var failed = false
    work.onError { failed = true }
    group.notify(queue: .main) {
        if !failed { completion(true) }  // EXPECT missing-delivery warning
    }
}

func takenOutBySomebody(_ id: Int, completion: @escaping () -> Void) {
    guard let request = requests.removeValue(forKey: id) else { return }
    request.end()
    completion()
}

func takenOutThenForgotten(_ id: Int, completion: @escaping () -> Void) {
    guard let request = requests.removeValue(forKey: id) else { return }
    guard request.isValid else { return }  // EXPECT missing-delivery warning
    completion()
}

func deferredWithAnOptional(_ keys: [Int], completion: ((Bool) -> Void)?) {
    var outcome: Bool? = false
    defer {
        if let completion, let outcome { completion(outcome) }
    }
    guard !keys.isEmpty else { return }
    outcome = nil
    ask(completion: completion)
}

func cannotBeNeither() async throws -> Int {
    try await withCheckedThrowingContinuation { continuation in
        client.get { value, error in
            if let error {
                continuation.resume(throwing: error)
            } else if let value {
                continuation.resume(returning: value)
            } else {
                precondition(false, "always one of them")
            }
        }
    }
}

func hasAskedForTheMethod(_ task: Task, completionHandler: @escaping (Int) -> Void) {
    guard let delegate, delegate.responds(to: #selector(Delegate.start(_:))) else { return completionHandler(0) }
    delegate.start?(task, completionHandler: completionHandler)
}

func excusedAtTheReturn(completion: @escaping (Int) -> Void) {
    client.get { outcome in
        guard let value = outcome.value else {
            // This is not possible: the client always has one.
            return  // EXPECT missing-delivery note
        }
        completion(value)
    }
}

class Base {
    func make(completion: @escaping (Int) -> Void) -> Request? {  // EXPECT never-delivered note
        // To be overridden in a subclass.
        nil
    }

    func keep(completion: @escaping (Int) -> Void) -> Request? {  // EXPECT never-delivered warning
        nil
    }
}

func removesItsObserverFirst() async {
    await withCheckedContinuation { continuation in
        var observer: NSObjectProtocol?
        func cleanUp() { if let observer { center.removeObserver(observer) } }
        observer = center.addObserver(forName: .ready) { _ in
            cleanUp()
            continuation.resume()
        }
    }
}

func removesItsObserverAfterwards() async {
    await withCheckedContinuation { continuation in
        var observer: NSObjectProtocol?
        observer = center.addObserver(forName: .ready) { _ in
            continuation.resume()  // EXPECT multi-shot-resume warning
            center.removeObserver(observer)
        }
    }
}

func makesAContext(_ response: Response?, completion: @escaping (Result<Data, any Error>) -> Void) -> Context? {
    guard let response else {
        completion(.failure(Missing()))
        return nil
    }
    return Context(response)  // EXPECT missing-delivery note
}

func proxyWithAnErrorHandler(completion: @escaping (Result<Int, any Error>) -> Void) {
    let proxy = connection.makeProxy { error in completion(.failure(error)) }
    proxy.ping { completion(.success(1)) }
}

func taskThatIsBound(completion: @escaping (Data?) -> Void) {
    let task = session.dataTask { data, error in completion(data) }
    task.resume()
    completion(nil)  // EXPECT double-delivery warning
}

func receiverThatIsMadeFirst() async throws -> Int {
    try await withCheckedThrowingContinuation { continuation in
        let receiver = Receiver { status in continuation.resume(returning: status) }
        do {
            try start(receiver)
        } catch {
            continuation.resume(throwing: error)
        }
    }
}

func loopThatAFlagEnds(_ indexes: [Int], completion: @escaping (String) -> Void) {
    var isOver = false
    for index in indexes {
        device.address(index) { address in
            guard let address else {
                completion("locked")
                isOver = true
                return
            }
            addresses.append(address)
        }
        if isOver { return }
    }
    completion("done")
}
