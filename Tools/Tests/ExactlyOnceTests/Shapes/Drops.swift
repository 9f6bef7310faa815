// self, receivers, nil twice, cancellation.

func weakSelf() async -> Int {
    await withCheckedContinuation { continuation in
        client.get { [weak self] value in
            guard let self else { return }  // EXPECT weak-self-drop warning
            continuation.resume(returning: self.parse(value))
        }
    }
}

func weakSelfResumed() async throws -> Int {
    try await withCheckedThrowingContinuation { continuation in
        client.get { [weak self] value in
            guard let self else { return continuation.resume(throwing: Gone()) }
            continuation.resume(returning: self.parse(value))
        }
    }
}

func weakSelfOldStyle() async -> Int {
    await withCheckedContinuation { continuation in
        client.get { [weak self] value in
            guard let strongSelf = self else { return }  // EXPECT weak-self-drop warning
            continuation.resume(returning: strongSelf.parse(value))
        }
    }
}

func weakSelfIf() async -> Int {
    await withCheckedContinuation { continuation in
        client.get { [weak self] value in
            if let self {  // EXPECT weak-self-drop warning
                continuation.resume(returning: self.parse(value))
            }
        }
    }
}

func weakSelfIsNil() async -> Int {
    await withCheckedContinuation { continuation in
        client.get { [weak self] value in
            if self == nil { return }  // EXPECT weak-self-drop warning
            continuation.resume(returning: value)
        }
    }
}

func weakSelfOfHandler(completion: @escaping (Int) -> Void) {
    client.get { [weak self] value in
        guard let self else { return }  // EXPECT weak-self-drop note
        completion(self.parse(value))
    }
}

func weakSelfCall() async -> Int {
    await withCheckedContinuation { continuation in
        queue.async { [weak self] in
            self?.load { continuation.resume(returning: $0) }
        }  // EXPECT weak-self-drop warning
    }
}

func weakSelfCallOfHandler(completion: @escaping (Int) -> Void) {
    queue.async { [weak self] in
        self?.load { completion($0) }
    }  // EXPECT weak-self-drop note
}

func weakSelfDelegation(completion: @escaping (Int) -> Void) {
    queue.async { [weak self] in
        self?.load(completion: completion)
    }  // EXPECT weak-self-drop note
}

func weakSelfAndOther(completion: @escaping (Int) -> Void) {
    client.get { [weak self] value in
        self?.log(value)
        completion(value)
    }
}

func optionalReceiver(completion: @escaping (Int) -> Void) {
    source?.load { completion($0) }
}  // EXPECT optional-receiver-drop note

func optionalReceiverDelegation(completion: @escaping (Int) -> Void) {
    delegate?.load(completion: completion)
}  // EXPECT optional-receiver-drop note

func optionalReceiverChecked(completion: @escaping (Int?) -> Void) {
    guard let source else { return completion(nil) }
    source.load { completion($0) }
}

func optionalHandler(completion: ((Int) -> Void)?) {
    completion?(1)
}

func nilNil() async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
        client.get { data, error in
            if let error {
                continuation.resume(throwing: error)
            } else if let data {  // EXPECT nil-nil-path warning
                continuation.resume(returning: data)
            }
        }
    }
}

func nilNilWithElse() async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
        client.get { data, error in
            if let error {
                continuation.resume(throwing: error)
            } else if let data {
                continuation.resume(returning: data)
            } else {
                continuation.resume(throwing: Nothing())
            }
        }
    }
}

func nilNilOfHandler(completion: @escaping (Data?, (any Error)?) -> Void) {
    client.get { data, error in
        if let error { return completion(nil, error) }
        if let data {  // EXPECT nil-nil-path warning
            completion(data, nil)
        }
    }
}

func nilNilWithReturn() async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
        client.get { data, error in
            guard error == nil else { return continuation.resume(throwing: error!) }
            guard let data else { return }  // EXPECT nil-nil-path warning
            continuation.resume(returning: data)
        }
    }
}

func onlyOneNil() async -> Data {
    await withCheckedContinuation { continuation in
        client.get { data, error in
            if let data {  // EXPECT missing-delivery warning
                continuation.resume(returning: data)
            }
        }
    }
}

func cancelled() async -> Data {
    await withCheckedContinuation { continuation in
        client.get { data in
            guard !self.isCancelled else { return }  // EXPECT cancel-latch warning
            continuation.resume(returning: data)
        }
    }
}

func cancelledIf() async -> Data {
    await withCheckedContinuation { continuation in
        client.get { data in
            if operation.isCancelled { return }  // EXPECT cancel-latch warning
            continuation.resume(returning: data)
        }
    }
}

func cancelledResumes() async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
        client.get { data in
            if operation.isCancelled { return continuation.resume(throwing: CancellationError()) }
            continuation.resume(returning: data)
        }
    }
}

func cancelledHandler(completion: @escaping (Data) -> Void) {
    client.get { data in
        guard !self.isCancelled else { return }  // EXPECT cancel-latch note
        completion(data)
    }
}

func weakSelfWhileTheFunctionRuns() async -> Int {
    await withCheckedContinuation { [weak self] continuation in
        guard let self else { return }
        self?.load { value in continuation.resume(returning: value) }
    }
}

func weakSelfOnlyAfterwards() async -> Int {
    await withCheckedContinuation { [weak self] continuation in
        client.get { value in
            guard let self else { return }  // EXPECT weak-self-drop warning
            continuation.resume(returning: value)
        }
    }
}

func weakSelfOfATask() {
    Task { [weak self] in
        await withCheckedContinuation { continuation in
            guard let self else { return }  // EXPECT missing-delivery error
            continuation.resume()
        }
        await withCheckedContinuation { [weak self] continuation in
            guard let self else { return }  // EXPECT weak-self-drop warning
            continuation.resume()
        }
    }
}
