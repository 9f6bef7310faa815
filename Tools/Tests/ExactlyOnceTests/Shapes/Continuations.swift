// Continuations: direct, in closures, in tasks.

func direct() async -> Int {
    await withCheckedContinuation { continuation in
        continuation.resume(returning: 1)
    }
}

func directTwice() async -> Int {
    await withCheckedContinuation { continuation in
        continuation.resume(returning: 1)
        continuation.resume(returning: 2)  // EXPECT double-delivery error
    }
}

func dollar() async {
    await withCheckedContinuation { $0.resume() }
}

func dollarInInnerClosure() async {
    await withUnsafeContinuation {  // EXPECT never-delivered error
        load { $0.resume() }
    }
}

func ignored() async {
    await withCheckedContinuation { _ in }  // EXPECT never-delivered error
}

func neverResumed() async throws -> Int {
    try await withCheckedThrowingContinuation { continuation in  // EXPECT never-delivered error
        print("nobody resumes")
    }
}

func missingBranch(_ flag: Bool) async -> Int {
    await withCheckedContinuation { continuation in
        if flag {  // EXPECT missing-delivery error
            continuation.resume(returning: 1)
        }
    }
}

func inCallback() async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
        client.get { result in
            continuation.resume(with: result)
        }
    }
}

func inCallbackWithMissingPath() async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
        client.get { result in
            switch result {
            case .success(let data): continuation.resume(returning: data)
            case .failure(let error): log(error)  // EXPECT missing-delivery warning
            }
        }
    }
}

func inCallbackWithoutReturn() async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
        client.get { data, error in
            if let error {
                continuation.resume(throwing: error)
            }
            continuation.resume(returning: data)  // EXPECT double-delivery error
        }
    }
}

func methodValue() async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
        client.get(completion: continuation.resume)
    }
}

func methodValueWithLabel() async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
        client.get(completion: continuation.resume(with:))
    }
}

func onQueue(_ flag: Bool) async -> Int {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
            guard flag else { return }  // EXPECT missing-delivery error
            continuation.resume(returning: 1)
        }
    }
}

func onQueueTwice() async -> Int {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: 1) }
        DispatchQueue.main.async { continuation.resume(returning: 2) }  // EXPECT double-delivery error
    }
}

func inTask() async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
        Task {
            let data = try await client.data()  // EXPECT lost-on-throw error
            continuation.resume(returning: data)
        }
    }
}

func inTaskWithCatch() async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
        Task {
            do {
                let data = try await client.data()
                continuation.resume(returning: data)
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }
}

func timeout() async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
        Task {
            try await Task.sleep(for: .seconds(1))
            continuation.resume(throwing: Timeout())
        }
        client.get { continuation.resume(with: $0) }
    }
}

func underLock() async -> Int {
    await withCheckedContinuation { continuation in
        lock.withLock {
            continuation.resume(returning: 1)  // EXPECT deliver-under-lock note
        }
    }
}

func returnLeavesOnlyTheClosure(_ flag: Bool) async -> Int {
    await withCheckedContinuation { continuation in
        lock.withLock {
            if flag { return }
            print("go on")
        }
        continuation.resume(returning: 1)
    }
}

func returnInsideLock(_ flag: Bool) async -> Int {
    await withCheckedContinuation { continuation in
        let ready = state.withLock { state -> Bool in
            guard flag else {
                state.waiters.append(continuation)
                return false
            }
            return true
        }
        if ready { continuation.resume(returning: 1) }
    }
}

func stored() async -> Int {
    await withCheckedContinuation { continuation in
        self.continuation = continuation
        start()
    }
}

func appended() async -> Int {
    await withCheckedContinuation { continuation in
        waiters.append(continuation)
    }
}

func storedInOneBranch(_ flag: Bool) async -> Int {
    await withCheckedContinuation { continuation in
        if flag {  // EXPECT missing-delivery error
            self.continuation = continuation
        }
    }
}

func handedToStateMachine() async -> Int {
    await withCheckedContinuation { continuation in
        machine.wait(continuation: continuation)
    }
}

func sink() async -> Int {
    await withCheckedContinuation { continuation in
        cancellable = publisher.sink { value in
            continuation.resume(returning: value)  // EXPECT multi-shot-resume warning
        }
    }
}

func sinkWithFlag() async -> Int {
    await withCheckedContinuation { continuation in
        var didResume = false
        cancellable = publisher.sink { value in
            guard !didResume else { return }
            didResume = true
            continuation.resume(returning: value)
        }
    }
}

func cancelHandler() async -> Int {
    await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
            load { continuation.resume(returning: $0) }
        }
    } onCancel: {
        cancel()
    }
}

func nested() async -> Int {
    await withCheckedContinuation { outer in
        Task {
            let value = await withCheckedContinuation { inner in inner.resume(returning: 1) }
            outer.resume(returning: value)
        }
    }
}

func trapInstead(_ flag: Bool) async -> Int {
    await withCheckedContinuation { continuation in
        guard flag else { fatalError() }
        continuation.resume(returning: 1)
    }
}

func withLatch() async -> Int {
    await withCheckedContinuation { continuation in
        let once = Once()
        client.get { value in
            if once.take() { continuation.resume(returning: value) }
        }
        client.timeout {
            if once.take() { continuation.resume(returning: 0) }
        }
    }
}

func withExchange() async -> Int {
    await withCheckedContinuation { continuation in
        client.get { value in
            guard !resumed.exchange(true, ordering: .relaxed) else { return }
            continuation.resume(returning: value)
        }
    }
}

func bodyLabel() async -> Int {
    await withCheckedContinuation(
        function: #function,
        { continuation in
            continuation.resume(returning: 1)
            continuation.resume(returning: 1)  // EXPECT double-delivery error
        }
    )
}

func typedClosure() async -> Int {
    await withCheckedContinuation { (continuation: CheckedContinuation<Int, Never>) -> Void in
        continuation.resume(returning: 1)
    }
}
