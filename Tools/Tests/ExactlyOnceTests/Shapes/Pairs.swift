// Closures of which one is called; handlers that an object keeps; hooks that get nothing.

// MARK: One of two closures

func onlySuccess(completion: @escaping (Data?) -> Void) {
    client.get(
        success: { data in completion(data) },
        failure: { error in
            log(error)
        }  // EXPECT missing-delivery warning
    )
}

func onlyFailureTrailing(completion: @escaping ((any Error)?) -> Void) {
    client.post(path) { response in
        log(response)
    } failure: { error in  // EXPECT missing-delivery warning
        completion(error)
    }
}

func replyAndError(completion: @escaping (Data?) -> Void) {
    session.send(
        message,
        replyHandler: { reply in
            guard let data = reply.data else { return }  // EXPECT missing-delivery warning
            completion(data)
        },
        errorHandler: { error in completion(nil) }
    )
}

func bothTrailing(completion: @escaping (Data?) -> Void) {
    client.post(path) { response in
        completion(response)
    } failure: { error in
        completion(nil)
    }
}

func failureTellsAnother(completion: @escaping (Data?) -> Void, failed: @escaping () -> Void) {
    client.get(success: { data in completion(data) }, failure: { _ in failed() })  // EXPECT missing-delivery note
}

func noPair(completion: @escaping (Data?) -> Void) {
    client.get(progress: { part in show(part) }, success: { data in completion(data) })
}

func answeredBeforeThePair(_ id: Int?, completion: @escaping (Data?) -> Void) {
    if id == nil {
        completion(nil)
    }
    client.get(
        success: { data in completion(data) },  // EXPECT double-delivery warning
        failure: { error in completion(nil) }
    )
}

func returnsBeforeThePair(_ id: Int?, completion: @escaping (Data?) -> Void) {
    if id == nil {
        completion(nil)
        return
    }
    client.get(success: { data in completion(data) }, failure: { error in completion(nil) })
}

func answeredTwice(onSuccess completion: @escaping () -> Void) {
    guard isOnline else { return }
    completion()
    completion()  // EXPECT double-delivery error
}

func workAndItsEnd(completion: @escaping ((any Error)?) -> Void) {
    database.write(
        { session in
            guard session.isOpen else {
                completion(nil)
                return
            }
            try session.save()
        },
        completion: { error in completion(error) }  // EXPECT double-delivery warning
    )
}

func onlyTheEnd(completion: @escaping ((any Error)?) -> Void) {
    database.write({ session in try session.save() }, completion: { error in completion(error) })
}

// MARK: Closures of this function that go on

func localClosureGoesOn(completion: @escaping (Int?) -> Void) {
    let finish: (Result<Int, any Error>) -> Void = { result in
        queue.async {
            switch result {
            case .success(let value): completion(value)
            case .failure(let error): log(error)  // EXPECT missing-delivery warning
            }
        }
    }
    client.load(completion: finish)
}

func localClosureGoesOnWell(completion: @escaping (Int?) -> Void) {
    let finish: (Result<Int, any Error>) -> Void = { result in
        queue.async { completion(try? result.get()) }
    }
    client.load(completion: finish)
}

func asksAPerson(completion: (Bool) -> Void) {
    input.ask("Go on?") { response in
        switch response {
        case "yes": completion(true)
        case "no": completion(false)
        default: log(response)  // EXPECT missing-delivery warning
        }
    }
}

// MARK: Handlers that an object keeps

final class Upload: Operation {
    var completion: ((URL?) -> Void)?
    let onResult: (Int) -> Void

    func returnsEarly(_ status: Int) {
        guard status == 200 else {
            log(status)
            return  // EXPECT missing-delivery warning
        }
        if status > 0 {
            completion?(url)
        } else {
            completion?(nil)
        }
    }

    func swallowsAnError() {
        do {
            guard let url = try send() else {
                completion?(nil)
                return
            }
            completion?(url)
        } catch {  // EXPECT missing-delivery warning
            log(error)
        }
    }

    func callsTwice(_ status: Int) {
        if status == 200 {
            self.onResult(1)
        }
        self.onResult(2)  // EXPECT double-delivery warning
    }

    func always(_ status: Int) {
        guard status == 200 else {
            completion?(nil)
            return
        }
        completion?(url)
    }

    func oneOfManyEvents(_ status: Int) {
        guard status == 200 else { return }
        completion?(url)
    }

    func othersGoOn(_ status: Int) {
        guard status == 200 else {
            completion?(nil)
            return
        }
        guard status > 0 else {
            completion?(nil)
            return
        }
        if status == 1 {
            sendAgain()
        } else {
            completion?(url)
        }
    }

    func aParameterOfItsName(_ status: Int, completion: (URL?) -> Void) {
        guard status == 200 else {
            completion(nil)
            return
        }
        completion(url)
    }

    func tellsOfEvents() {
        Task {
            do {
                for try await value in values { onResult(value) }
            } catch {
                onResult(0)
            }
        }
    }

    func takesItOut() {
        let completion = self.completion
        self.completion = nil
        completion?(url)
    }
}

// MARK: Hooks that get nothing

func hookThatIsCalled(completion: (() -> Void)? = nil) {
    guard isReady else { return }  // EXPECT missing-delivery warning
    start()
    completion?()
}

func hookThatIsPassedOn(completion: (() -> Void)? = nil) {
    guard let controller else { return }  // EXPECT missing-delivery note
    controller.present(alert, animated: true, completion: completion)
}

func hookThatIsHandedOn(completion: (() -> Void)? = nil) {
    guard let player else { return }  // EXPECT missing-delivery warning
    player.play(completion: completion)
}

func hookThatIsKept(completion: (() -> Void)? = nil) {
    guard isReady else { return }  // EXPECT missing-delivery warning
    player = Player(completion: completion)
}

// MARK: Calls that may be skipped

func methodMayBeAbsent(completion: @escaping () -> Void) {
    delegate.load?(id, completion: completion)
}  // EXPECT optional-receiver-drop warning

func methodIsAskedFor(completion: @escaping () -> Void) {
    let called: Void? = delegate.load?(id, completion: completion)
    if called == nil { completion() }
}

func closureIsAskedFor(completion: @escaping (Bool) -> Void) {
    let called: Void? = delegate?.load(id) { options in completion(options.isEmpty) }
    if called == nil {
        completion(false)
    }
}

func methodOrElse(completion: @escaping (Int?) -> Void) {
    delegate?.load?(id, completion: completion) ?? completion(nil)
}

func receiverOrNothing(completion: @escaping (Int?) -> Void) {
    delegate?.load(id, completion: completion)
}  // EXPECT optional-receiver-drop note

final class Relay {
    var onSend: ((Int, (Bool) -> Void) -> Void)?

    func closureMayBeAbsent(completion: @escaping (Bool) -> Void) {
        self.onSend?(1) { result in completion(result) }
    }  // EXPECT optional-receiver-drop note
}

// MARK: Read in public projects

func failureIsTheOtherCase(completion: @escaping (Int?) -> Void) {
    guard case .success(let value) = outcome else {
        if case .failure = outcome { completion(nil) }
        return
    }
    completion(value)
}

func endOfAPublisher() async throws {
    try await withCheckedThrowingContinuation { continuation in
        token = publisher.sink(
            receiveCompletion: { end in
                switch end {
                case .finished: continuation.resume()
                case .failure(let error): continuation.resume(throwing: error)
                }
            },
            receiveValue: { _ in }
        )
    }
}

func observedOnce() async -> Int {
    await withCheckedContinuation { continuation in
        model.observe(.once) { value in continuation.resume(returning: value) }
    }
}

func firstValue() async -> Int {
    await withCheckedContinuation { continuation in
        token = publisher.sink { value in
            guard !didReceiveValue else { return }
            didReceiveValue = true
            continuation.resume(returning: value)
        }
    }
}

struct MockService {
    func load(completion: @escaping (Int) -> Void) -> Int? {  // EXPECT never-delivered note
        return nil
    }
}
