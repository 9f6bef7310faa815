// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// A handler that is called, and then handed on: a `return` is missing between the two.

func calledThenObserved(_ cached: Data?, completion: @escaping (Data?) -> Void) {
    if let cached {
        completion(cached)
    }
    store.updates.sink { data in completion(data) }.store(in: &subscriptions)  // EXPECT double-delivery warning
}

func calledReturnsThenObserved(_ cached: Data?, completion: @escaping (Data?) -> Void) {
    if let cached {
        completion(cached)
        return
    }
    store.updates.sink { data in completion(data) }.store(in: &subscriptions)
}

func calledThenPerhapsLater(_ isSeen: Bool, completion: @escaping () -> Void) {
    if isSeen {
        completion()
    }
    DispatchQueue.main.async {  // EXPECT double-delivery warning
        if self.isVisible {  // EXPECT missing-delivery warning
            completion()
        }
    }
}

func calledReturnsThenPerhapsLater(_ isSeen: Bool, completion: @escaping () -> Void) {
    if isSeen {
        completion()
        return
    }
    DispatchQueue.main.async {
        guard let window = self.window else { return completion() }
        window.show(completion: completion)
    }
}

func calledThenOneOfTwo(_ request: Request?, completion: @escaping (Data?) -> Void) {
    if request == nil {
        completion(nil)
    }
    client.send(
        request,
        success: { data in  // EXPECT double-delivery warning
            completion(data)
        },
        failure: { _ in completion(nil) }
    )
}

func calledThenGivenToALabelNobodyKnows(_ data: Data, completion: @escaping (Data) -> Void) {
    if data.isFresh {
        completion(data)
    }
    service.read(days: 1, resultWith: { data in completion(data) })  // EXPECT double-delivery warning
}

func resumedThenObserved(_ cached: Data?) async -> Data {
    await withCheckedContinuation { continuation in
        if let cached {
            continuation.resume(returning: cached)
        }
        task = store.wait { data in  // EXPECT double-delivery warning
            continuation.resume(returning: data)
        }
    }
}

// What follows is meant, or cannot be.

func calledThenAButton(_ isQuiet: Bool, completion: @escaping () -> Void) {
    guard !isQuiet else {
        completion()
        return
    }
    alert.add(Action(title: "OK") { completion() })
}

func calledWithAFlagThenObserved(_ cached: Data?, completion: @escaping (Data?) -> Void) {
    var isDone = false
    if let cached {
        isDone = true
        completion(cached)
    }
    store.updates.sink { data in
        if !isDone { completion(data) }
    }
    .store(in: &subscriptions)
}

func storedThenCalledByOthers(completion: @escaping (Data?) -> Void) {
    store.updates.sink { data in completion(data) }.store(in: &subscriptions)
    store.onCancel = { completion(nil) }
}

func perhapsLaterThenCalled(_ isSeen: Bool, completion: @escaping () -> Void) {
    DispatchQueue.main.async {
        if self.isOpen { self.close { completion() } } else { completion() }
    }
}

final class KeepsOneFromTheStart {
    private let continuation: CheckedContinuation<Int, any Error>

    init(_ kept: CheckedContinuation<Int, any Error>) { continuation = kept }

    func received(_ answer: Int) { continuation.resume(returning: answer) }
}

func subscribesToOneValue(_ text: String) async throws -> [Item] {
    try await withCheckedThrowingContinuation { continuation in
        parser.items(in: text)
            .subscribe(
                onSuccess: { items in continuation.resume(returning: items) },
                onError: { error in continuation.resume(throwing: error) }
            )
            .disposed(by: bag)
    }
}

func verifiesEach(_ keys: [Int], completion: (inout Verifier, Int) throws -> Void) throws {
    for key in keys {
        guard key > 0 else { return }
        try completion(&verifier, key)
    }
}
