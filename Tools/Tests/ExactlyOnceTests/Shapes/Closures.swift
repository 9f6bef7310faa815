// Closures that carry a handler: in place, once, probably once, many times, unknown; rivals.

func inPlace(completion: () -> Void) {
    queue.sync { print("work") }
    autoreleasepool { completion() }
}

func inPlaceTwice(completion: () -> Void) {
    autoreleasepool { completion() }
    completion()  // EXPECT double-delivery error
}

func immediate(completion: () -> Void) {
    { completion() }()
}

func onQueue(completion: @escaping () -> Void) {
    DispatchQueue.main.async { completion() }
}

func onQueueThenCalled(completion: @escaping () -> Void) {
    DispatchQueue.main.async { completion() }
    completion()  // EXPECT double-delivery error
}

func onQueueWithArgument(completion: @escaping () -> Void) {
    DispatchQueue.main.async(execute: { completion() })
}

func handedToQueue(completion: @escaping () -> Void) {
    DispatchQueue.main.async(execute: completion)
}

func later(_ flag: Bool, completion: @escaping () -> Void) {
    DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
        if flag {  // EXPECT missing-delivery warning
            completion()
        }
    }
}

func mainActor(completion: @escaping () -> Void) {
    Task { await MainActor.run { completion() } }
}

func answer(completion: @escaping (Data?) -> Void) {
    client.get { data, error in
        guard let data, error == nil else { return completion(nil) }
        completion(data)
    }
}

func answerMissing(completion: @escaping (Data?) -> Void) {
    client.get { data, response, error in
        guard let data, check(response) else { return }  // EXPECT missing-delivery warning
        completion(data)
    }
}

func labeledCompletion(completion: @escaping (Data?) -> Void) {
    client.get(completion: { data in
        if let data {  // EXPECT missing-delivery warning
            completion(data)
        }
    })
}

func nestedAnswers(completion: @escaping (Data?) -> Void) {
    client.get { first in
        client.get { second in
            guard first == second else { return }  // EXPECT missing-delivery warning
            completion(second)
        }
    }
}

func answerTwice(completion: @escaping (Data?) -> Void) {
    client.get { data in
        if data == nil { completion(nil) }
        DispatchQueue.main.async { completion(data) }  // EXPECT double-delivery error
    }
}

func answerAndDirect(completion: @escaping (Data?) -> Void) {
    client.get { data in completion(data) }
    completion(nil)  // EXPECT double-delivery warning
}

func successAndFailure(completion: @escaping (Data?) -> Void) {
    client.get(success: { data in completion(data) }, failure: { error in completion(nil) })
}

func successAndFailureTrailing(completion: @escaping (Data?) -> Void) {
    client.get { data in
        completion(data)
    } onFailure: { error in
        completion(nil)
    }
}

func chain(completion: @escaping (Data?) -> Void) {
    client.get().done { data in completion(data) }.catch { _ in completion(nil) }
}

func chainMissingIsNotSeen(completion: @escaping (Data?) -> Void) {
    client.get().done { data in
        if check(data) { completion(data) }
    }.catch { _ in completion(nil) }
}

func chainDoubleInOne(completion: @escaping (Data?) -> Void) {
    client.get().done { data in
        completion(nil)
        completion(data)  // EXPECT double-delivery error
    }.catch { _ in completion(nil) }
}

func mapped(_ items: [Int], completion: @escaping (Int) -> Void) {
    let buttons = items.map { item in Button { completion(item) } }
    show(buttons)
}

func assignedToProperty(completion: @escaping () -> Void) {
    button.handler = { completion() }
}

func assignedToCompletion(_ flag: Bool, completion: @escaping () -> Void) {
    operation.completionBlock = {
        if flag {  // EXPECT missing-delivery warning
            completion()
        }
    }
}

func observed(completion: @escaping () -> Void) {
    observer = object.observe { _, _ in completion() }
}

func timerIsUnknown(completion: @escaping () -> Void) {
    startTimeout(5) { completion() }
    client.get { _ in completion() }
}

func workItem(completion: @escaping () -> Void) {
    let item = DispatchWorkItem { completion() }
    queue.async(execute: item)
}

func timeoutWithFlag(completion: @escaping () -> Void) {
    var isFinished = false
    DispatchQueue.main.asyncAfter(deadline: .now() + 5) {
        guard !isFinished else { return }
        isFinished = true
        completion()
    }
    client.get { _ in
        guard !isFinished else { return }
        isFinished = true
        completion()
    }
}

func timeoutWithoutFlag(completion: @escaping () -> Void) {
    DispatchQueue.main.asyncAfter(deadline: .now() + 5) { completion() }
    client.get { _ in completion() }  // EXPECT double-delivery warning
}

func conditionalTimeout(completion: @escaping () -> Void) {
    DispatchQueue.main.asyncAfter(deadline: .now() + 5) {
        if pending.remove(id) != nil { completion() }
    }
    client.get { _ in completion() }
}

func parameterIsNotAFlag(completion: @escaping () -> Void) {
    view.animate { finished in
        if finished {  // EXPECT missing-delivery warning
            completion()
        }
    }
}

func underLock(completion: () -> Void) {
    lock.withLock {
        completion()  // EXPECT deliver-under-lock warning
    }
}

func betweenLockAndUnlock(completion: () -> Void) {
    lock.lock()
    completion()  // EXPECT deliver-under-lock warning
    lock.unlock()
}

func lockWithDefer(completion: () -> Void) {
    lock.lock()
    defer { lock.unlock() }
    completion()  // EXPECT deliver-under-lock warning
}

func afterUnlock(completion: () -> Void) {
    lock.lock()
    let value = count
    lock.unlock()
    print(value)
    completion()
}

func laterUnderLock(completion: @escaping () -> Void) {
    lock.withLock {
        queue.async { completion() }
    }
}

func returnedRequest(completion: @escaping (Data?) -> Void) -> Request {
    return client.request { data in completion(data) }
}

func capturedByName(completion: @escaping () -> Void) {
    queue.async { [completion] in completion() }
}

func capturedUnderOtherName(completion: @escaping () -> Void) {
    queue.async { [done = completion] in done() }
}

func inTaskWithTry(completion: @escaping (Data?) -> Void) {
    Task {
        let data = try await client.data()  // EXPECT lost-on-throw warning
        completion(data)
    }
}

func detached(completion: @escaping (Data?) -> Void) {
    Task.detached(priority: .high) {
        completion(try? await client.data())
    }
}

func closureHandler() {
    activity.schedule { completion in
        guard check() else { return }  // EXPECT missing-delivery warning
        completion(.finished)
    }
}

func closureHandlerDelivered() {
    activity.schedule { completion in
        work { completion(.finished) }
    }
}
