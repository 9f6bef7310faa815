// Tokens that go on: stored, taken out again, carried by local functions, by what is made of them.

// MARK: Errors in arguments

func errorInAnArgument(completion: @escaping (Result<Int, any Error>) -> Void) {
    Task {
        do {
            completion(.success(try await load()))
        } catch {  // EXPECT missing-delivery warning
        }
    }
}

func errorInAnArgumentTwice(completion: @escaping (Result<Int, any Error>) -> Void) {
    Task {
        do {
            completion(.success(try await load()))
        } catch {
            completion(.failure(error))
            completion(.failure(error))  // EXPECT double-delivery error
        }
    }
}

func errorInAnArgumentAnswered(completion: @escaping (Result<Int, any Error>) -> Void) {
    Task {
        do {
            completion(.success(try await load()))
        } catch {
            completion(.failure(error))
        }
    }
}

// MARK: Functions that make something

func makesAnAction(_ url: URL?, completion: @escaping (Bool) -> Void) -> Action? {
    guard let url else {
        return nil  // EXPECT missing-delivery note
    }
    return Action(title: "Open") { _ in
        open(url)
        completion(true)
    }
}

func answersATask(_ url: URL?, completion: @escaping (Data?) -> Void) -> Request? {
    guard let url else {
        return nil  // EXPECT missing-delivery warning
    }
    return session.get(url) { data in completion(data) }
}

// MARK: Queues that are waited for

func onAQueue(completion: (Int) -> Void) {
    queue.sync {
        completion(1)  // EXPECT deliver-under-lock note
    }
}

func onAQueueAndLocked(completion: (Int) -> Void) {
    queue.sync {
        lock.withLock {
            completion(1)  // EXPECT deliver-under-lock warning
        }
    }
}

// MARK: Visitors

func visitor(_ completion: (Cell) -> Void) {
    for cell in cells { completion(cell) }  // EXPECT deliver-in-loop note
}

func visitorOfAVisitor(_ completion: (Cell) -> Void) {
    visit { cell in
        guard cell.isGood else {
            return  // EXPECT missing-delivery note
        }
        completion(cell)
    }
}

func visitorThatEscapes(_ completion: @escaping (Cell) -> Void) {
    for cell in cells { completion(cell) }  // EXPECT deliver-in-loop warning
}

func eachTurnAnswers(completion: @escaping (Error?) -> Void) {
    var done = 0
    for batch in batches {  // EXPECT missing-delivery note
        send(batch) { result in
            if let error = result.error {
                completion(error)  // EXPECT deliver-in-loop warning
                return
            }
            done += 1
            if done == batches.count { completion(nil) }
        }
    }
}

func eachTurnAsks(completion: @escaping (Error?) -> Void) {
    var isFinished = false
    var done = 0
    for batch in batches {  // EXPECT missing-delivery note
        send(batch) { result in
            if isFinished { return }
            if let error = result.error {
                isFinished = true
                completion(error)
                return
            }
            done += 1
            if done == batches.count { completion(nil) }
        }
    }
}

func oneTurnAnswers(completion: @escaping (Error?) -> Void) {
    for batch in batches where batch.isReady {
        send(batch) { result in completion(result.error) }
        return
    }
    completion(nil)
}

// MARK: Types and functions that are elsewhere

func typeOfAnotherLanguage(_ flag: Bool, completion: CoreCompletionHandler?) {
    guard flag else {
        return  // EXPECT missing-delivery warning
    }
    completion?(nil)
}

func toAWorker(completion: @escaping (Int) -> Void) {
    dispatcher.dispatchOnWorker(delay: 1) {
        if isReady { completion(1) }  // EXPECT missing-delivery warning
    }
}

func optionalMethod(_ note: Note, completionHandler: @escaping () -> Void) {
    delegate.receive?(note, withCompletionHandler: completionHandler)
}  // EXPECT optional-receiver-drop warning

func askedForMore(completion: @escaping (Int) -> Void) {
    if loadCached(completion: { value in completion(value) }) {
        return
    }
    load { value in completion(value) }
}

func firstOfAPublisher() async -> Int {
    await withCheckedContinuation { continuation in
        publisher.first().sink { value in continuation.resume(returning: value) }.store(in: &set)
    }
}

func eventsUntilDone(completion: @escaping (Int) -> Void) {
    subscriptions.queue { event, done in
        guard case .found(let value) = event else { return }
        completion(value)
        done()
    }
}

func sentAlready(completion: @escaping (Int) -> Void) {
    var sentResponse = false
    if let cached {
        completion(cached)
        sentResponse = true
    }
    load { value in
        if !sentResponse { completion(value) }
    }
}

// MARK: Several ways of one call

func confirmOrCancel(completion: @escaping (Bool) -> Void) {
    let cancel = { completion(false) }
    confirm(title: "Sure?", cancelCompletion: cancel) {
        completion(true)
    }
}

func oneForBoth(completion: @escaping (Bool) -> Void) {
    ask(acceptCompletion: completion, declineCompletion: completion)
}

func successAndFailure(completion: @escaping (Int?, Error?) -> Void) {
    api.get(
        success: { response in
            guard let value = response.value else {
                return  // EXPECT missing-delivery warning
            }
            completion(value, nil)
        },
        failure: { error in
            if isOpen { completion(nil, error) }  // EXPECT missing-delivery warning
        }
    )
}

func successAndFailureAlways(completion: @escaping (Int?, Error?) -> Void) {
    api.get(success: { value in completion(value, nil) }, failure: { error in completion(nil, error) })
}

// MARK: The main thread

func onTheMainThread(_ flag: Bool, completion: @escaping () -> Void) {
    OnMainThread {
        if flag { completion() }  // EXPECT missing-delivery warning
    }
}

func onTheMainThreadAlways(completion: @escaping () -> Void) {
    OnMainThread(inline: true) { completion() }
}

// MARK: Handlers of closures

func handlerOfAClosure() {
    queue.enqueue { (queueCompletion) in
        guard isOpen else { return }  // EXPECT missing-delivery warning
        queueCompletion()
    }
}

func handlerOfAClosureTwice() {
    queue.enqueue { (doneCompletionHandler) in
        doneCompletionHandler()
        doneCompletionHandler()  // EXPECT double-delivery error
    }
}

func handlerOfAClosureUnused() {
    let action = SwipeAction(style: .normal) { _, _, completion in  // EXPECT never-delivered warning
        share()
    }
}

func valueOfAPublisher() {
    publisher.sink { completion in
        print("ended")
    } receiveValue: { value in
        print(value)
    }
    publisher.sink(receiveCompletion: { completion in print("ended") }, receiveValue: { print($0) })
}

func handlerOfAClosureOnce() {
    queue.enqueue { (completionBlock) in completionBlock() }
}

// MARK: Empty bodies

final class Presenter: Delegate {
    func present(_ note: Note, completion: @escaping (Int) -> Void) {}  // EXPECT never-delivered warning
    func maybe(_ note: Note, completion: (() -> Void)? = nil) {}
}

final class NoopPresenter: Delegate {
    func present(_ note: Note, completion: @escaping (Int) -> Void) {}
}

extension Delegate {
    func present(_ note: Note, completion: @escaping (Int) -> Void) {}
}

extension AppDelegate: Delegate {
    func present(_ note: Note, completion: @escaping (Int) -> Void) {}  // EXPECT never-delivered warning
}

extension OtherDelegate: Delegate {
    func present(_ note: Note, completion _: @escaping (Int) -> Void) {}  // EXPECT never-delivered note
}

open class Base {
    open func load(completion: @escaping () -> Void) {}
}

// MARK: Handlers that are taken out

final class Keeper {
    var completionHandler: ((Int) -> Void)?

    func finish(_ value: Int?) {
        if let completionHandler = completionHandler {
            self.completionHandler = nil
            guard let value else { return }  // EXPECT missing-delivery warning
            completionHandler(value)
        }
    }

    func finishTwice(_ value: Int) {
        guard let completionHandler = self.completionHandler else { return }
        self.completionHandler = nil
        completionHandler(value)
        completionHandler(value)  // EXPECT double-delivery error
    }

    func finishOnce(_ value: Int) {
        guard let completionHandler = self.completionHandler else { return }
        self.completionHandler = nil
        completionHandler(value)
    }

    func valueOfAnEnd() {
        let transactionCompletion = self.transactionCompletion
        self.transactionCompletion = .none
        switch transactionCompletion {
        case .commit: didCommit()
        case .rollback: didRollback()
        }
    }

    func lookOnly(_ value: Int) {
        if let completionHandler = self.completionHandler {
            if value > 0 { completionHandler(value) }
        }
    }

    // MARK: Called, then kept

    func calledThenKept(_ isReady: Bool, completion: @escaping (Int) -> Void) {
        if !isReady {
            completion(0)
        }
        self.completionHandler = completion  // EXPECT double-delivery warning
    }

    func calledOrKept(_ isReady: Bool, completion: @escaping (Int) -> Void) {
        if !isReady {
            completion(0)
            return
        }
        self.completionHandler = completion
    }

    func keptThenCalled(_ isReady: Bool, completion: @escaping (Int) -> Void) {
        self.completionHandler = completion
        if !isReady { completion(0) }
    }

    // MARK: What a callback gets

    func resultBlock(completion: @escaping (Int?) -> Void) {
        operation.queryResultBlock = { result in
            guard let value = result.value else {
                return  // EXPECT missing-delivery warning
            }
            completion(value)
        }
        operation.start()
    }
}

// MARK: Initializers with an answer

func session(completion: @escaping (URL?) -> Void) {
    let session = WebSession(url: start) { url, error in
        guard error == nil else {
            return  // EXPECT missing-delivery warning
        }
        completion(url)
    }
    session.start()
}

func payload(_ provider: Provider, completion: @escaping (String?) -> Void) {
    provider.loadItem(options: nil) { payload, _ in
        guard let text = payload as? String else {
            return  // EXPECT missing-delivery warning
        }
        completion(text)
    }
}

func enumeration(completion: @escaping (String?) -> Void) {
    list.enumerateItems { item, stop in
        guard item.isGood else { return }
        completion(item.text)
    }
}

// MARK: Local functions

func localFunctionTwice(completion: @escaping (Int) -> Void) {
    func finish(_ value: Int) {
        completion(value)
        completion(value)  // EXPECT double-delivery error
    }
    finish(1)
}

func localClosureTwice(completion: @escaping (Int) -> Void) {
    let wrapped: (Int) -> Void = { value in
        completion(value)
        completion(value)  // EXPECT double-delivery error
    }
    upload(completion: wrapped)
}

func localFunctionSometimes(completion: @escaping (Int) -> Void) {
    func finish(_ value: Int?) {
        guard let value else { return }  // EXPECT missing-delivery warning
        completion(value)
    }
    finish(nil)
}

func localFunctionWithFlag(completion: @escaping (Int) -> Void) {
    var isFinished = false
    func finish(_ value: Int) {
        guard !isFinished else { return }
        isFinished = true
        completion(value)
    }
    finish(1)
    finish(2)
}

func localFunctionThatCounts(completion: @escaping () -> Void) {
    var done = 0
    let check = {
        done += 1
        if done > items.count { completion() }
    }
    for item in items { item.start { check() } }
    check()
}

func handlerOfAProcess(completion: @escaping (Int) -> Void) {
    process.terminationHandler = { process in completion(process.status) }
    do {
        try process.run()
    } catch {
        completion(-1)
    }
}

func weakReceiver(_ controller: Controller, completion: @escaping (Int) -> Void) {
    load { [weak controller] value in
        guard let controller else { return }  // EXPECT optional-receiver-drop note
        controller.show(value)
        completion(value)
    }
}

func localFunctionAlways(completion: @escaping (Int) -> Void) {
    func finish(_ value: Int) { completion(value) }
    if flag { finish(1) } else { finish(2) }
}

func localFunctionsThatCallEachOther(completion: @escaping (Int) -> Void) {
    func first(_ value: Int) {
        if value > 0 { second(value) } else { completion(0) }
    }
    func second(_ value: Int) { completion(value) }
    first(1)
}

func localFunctionThatCallsItself(completion: @escaping (Int) -> Void) {
    func next() {
        if let item = items.popLast() {
            save(item) { result in
                if result.isGood { next() } else { completion(1) }
            }
        } else {
            completion(0)
        }
    }
    next()
}

func localFunctionThatForgets(completion: @escaping (Int) -> Void) {
    func next() {
        if let item = items.popLast() {  // EXPECT missing-delivery warning
            save(item) { result in
                if result.isGood { next() } else { completion(1) }
            }
        }
    }
    next()
}

// MARK: What a locked section answers

func lockedAnswer() async {
    await withCheckedContinuation { continuation in
        let isBusy = mutex.withLock {
            guard !isSending else {
                continuation.resume()  // EXPECT deliver-under-lock note
                return true
            }
            isSending = true
            return false
        }
        guard !isBusy else { return }
        callbacks.append { continuation.resume() }
    }
}

func lockedAnswerWithoutDelivery() async {
    await withCheckedContinuation { continuation in
        let isBusy = mutex.withLock {
            guard !isSending else {
                return true
            }
            isSending = true
            return false
        }
        guard !isBusy else { return }  // EXPECT missing-delivery error
        callbacks.append { continuation.resume() }
    }
}

final class Machine {
    func cancel() {
        let continuation: CheckedContinuation<Void, any Error>? = state.withLock { state in
            let waiting = state.continuation
            state.continuation = nil
            return waiting
        }
        continuation?.resume(throwing: Cancelled())
        continuation?.resume(throwing: Cancelled())  // EXPECT double-delivery error
    }

    func next() {
        let action = state.withLock { state in state.next() }
        switch action {
        case .start(let continuation):  // EXPECT never-delivered error
            print("start")
        case .cancel(let continuation):
            continuation.resume(throwing: Cancelled())
        case .none: break
        }
    }
}

// MARK: Continuations that an object is made for

final class Finder: NSObject, CentralDelegate {
    private let continuation: CheckedContinuation<Bool, any Error>

    init(_ continuation: CheckedContinuation<Bool, any Error>) {
        self.continuation = continuation
    }

    func central(_ central: Central, didFail error: any Error) {}  // EXPECT callback-ignored warning

    func central(_ central: Central, didFind services: [Service], error: (any Error)?) {
        if let error {  // EXPECT callback-ignored warning
            print(error)
            return
        }
        continuation.resume(returning: !services.isEmpty)
    }

    func central(_ central: Central, didRead value: Int, error: (any Error)?) {
        guard error == nil else { return }  // EXPECT callback-ignored warning
        continuation.resume(returning: value > 0)
    }

    func central(_ central: Central, didWrite value: Int, error: (any Error)?) {
        if let error {
            continuation.resume(throwing: error)
            return
        }
        continuation.resume(returning: value > 0)
    }

    func central(_ central: Central, didWriteTwice value: Int, error: (any Error)?) {
        if let error {
            continuation.resume(throwing: error)
        }
        continuation.resume(returning: value > 0)  // EXPECT double-delivery warning
    }

    func central(_ central: Central, didFind service: Service) {
        guard let characteristic = service.first(where: \.isGood) else {  // EXPECT callback-ignored warning
            return
        }
        continuation.resume(returning: characteristic.isReadable)
    }

    func central(_ central: Central, didSelect service: Service) {
        guard service.isGood else {  // EXPECT callback-ignored warning
            continuation.resume(returning: false)
            return
        }
    }

    func central(_ central: Central, didMeet other: Central) {
        guard other == self.central else { return }
        continuation.resume(returning: true)
    }

    func centralDidCancel() {}  // EXPECT callback-ignored warning

    func centralDidStart() {}

    func central(_ central: Central, didUpdate value: Int, error: (any Error)?) {
        if let error {
            retry(error)
            return
        }
        continuation.resume(returning: value > 0)
    }
}
