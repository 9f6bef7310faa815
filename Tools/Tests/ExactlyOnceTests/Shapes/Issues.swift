// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Mistakes that others have reported, in code of our own: before the repair, and after it.

// ISSUE customerio/customerio-ios#1232

final class NoReturnAfterErrorBefore {
    func request(_ path: String, completion: @escaping (Result<Data, any Error>) -> Void) {
        session.dataTask(with: path) { data, response, error in
            if let error {
                completion(.failure(error))
            }
            guard let data else {
                completion(.failure(Failure.noData))  // EXPECT double-delivery error
                return
            }
            completion(.success(data))  // EXPECT double-delivery error
        }
        .resume()
    }
}

final class NoReturnAfterErrorAfter {
    func request(_ path: String, completion: @escaping (Result<Data, any Error>) -> Void) {
        session.dataTask(with: path) { data, response, error in
            if let error {
                completion(.failure(error))
                return
            }
            guard let data else {
                completion(.failure(Failure.noData))
                return
            }
            completion(.success(data))
        }
        .resume()
    }
}

// ISSUE malcommac/SwiftLocation#386

final class TimeoutKeepsBefore {
    var continuation: CheckedContinuation<Location, any Error>?

    func timedOut() {
        continuation?.resume(throwing: Failure.timeout)  // EXPECT stored-not-cleared note
        manager.stop()
    }

    func received(_ location: Location) {
        continuation?.resume(returning: location)
        continuation = nil
    }
}

final class TimeoutKeepsAfter {
    var continuation: CheckedContinuation<Location, any Error>?

    func timedOut() {
        continuation?.resume(throwing: Failure.timeout)
        continuation = nil
        manager.stop()
    }

    func received(_ location: Location) {
        continuation?.resume(returning: location)
        continuation = nil
    }
}

// ISSUE FlowCrypt/flowcrypt-ios#703

final class WeakServiceBefore {
    func fetch(_ id: String) async throws -> Message {
        try await withCheckedThrowingContinuation { [weak service] continuation in
            guard let service else { return }  // EXPECT optional-receiver-drop note
            service.fetch(id) { result in continuation.resume(with: result) }
        }
    }
}

final class WeakServiceAfter {
    func fetch(_ id: String) async throws -> Message {
        try await withCheckedThrowingContinuation { [weak service] continuation in
            guard let service else { return continuation.resume(throwing: Failure.gone) }
            service.fetch(id) { result in continuation.resume(with: result) }
        }
    }
}

// ISSUE swiftlang/swift-driver#1591

final class ErrorThenValueBefore {
    func load(_ id: String) async throws -> Data? {
        try await withCheckedThrowingContinuation { continuation in
            store.load(id) { data, error in
                if let error {
                    continuation.resume(throwing: error)
                }
                continuation.resume(returning: data)  // EXPECT double-delivery error
            }
        }
    }
}

final class ErrorThenValueAfter {
    func load(_ id: String) async throws -> Data? {
        try await withCheckedThrowingContinuation { continuation in
            store.load(id) { data, error in
                if let error {
                    continuation.resume(throwing: error)
                    return
                }
                continuation.resume(returning: data)
            }
        }
    }
}

// ISSUE meshtastic/Meshtastic-Apple#1755

final class ConfigCompleteBefore {
    var configContinuation: CheckedContinuation<Void, any Error>?

    func configComplete(_ id: Int) {
        guard id == Self.configOnly else { return }
        configContinuation?.resume()  // EXPECT stored-not-cleared note
    }

    func close() {
        configContinuation?.resume(throwing: CancellationError())
        configContinuation = nil
    }
}

final class ConfigCompleteAfter {
    var configContinuation: CheckedContinuation<Void, any Error>?

    func configComplete(_ id: Int) {
        guard id == Self.configOnly else { return }
        if let continuation = configContinuation {
            configContinuation = nil
            continuation.resume()
        }
    }

    func close() {
        if let continuation = configContinuation {
            configContinuation = nil
            continuation.resume(throwing: CancellationError())
        }
    }
}

// ISSUE openclaw/openclaw#116183

final class OneWaiterBefore {
    var pending: CheckedContinuation<Status, Never>?

    func request() async -> Status {
        await withCheckedContinuation { continuation in
            self.pending = continuation  // EXPECT stored-overwrite warning
            manager.requestAuthorization()
        }
    }

    func changed(_ status: Status) {
        pending?.resume(returning: status)
        pending = nil
    }
}

final class OneWaiterAfter {
    var pending: [CheckedContinuation<Status, Never>] = []

    func request() async -> Status {
        await withCheckedContinuation { continuation in
            self.pending.append(continuation)
            manager.requestAuthorization()
        }
    }

    func changed(_ status: Status) {
        let waiting = pending
        pending = []
        for continuation in waiting { continuation.resume(returning: status) }
    }
}

// ISSUE AIProxyTeam/AIProxySwift#282

final class ResponseThenErrorBefore {
    private var continuation: CheckedContinuation<Response, any Error>?

    func session(_ session: Session, didReceive response: Response) {
        continuation?.resume(returning: response)  // EXPECT stored-not-cleared warning
    }

    func session(_ session: Session, didCompleteWithError error: (any Error)?) {
        if let error {
            continuation?.resume(throwing: error)
            continuation = nil
        }
    }
}

final class ResponseThenErrorAfter {
    private var continuation: CheckedContinuation<Response, any Error>?

    func session(_ session: Session, didReceive response: Response) {
        continuation?.resume(returning: response)
        continuation = nil
    }

    func session(_ session: Session, didCompleteWithError error: (any Error)?) {
        if let error {
            continuation?.resume(throwing: error)
            continuation = nil
        }
    }
}

// ISSUE mentrena/SyncKit#82

final class AlreadySyncingBefore {
    func synchronize(completion: @escaping ((any Error)?) -> Void) {
        if isSyncing {
            completion(Failure.alreadySyncing)
        }
        isSyncing = true
        performSync(completion: completion)  // EXPECT double-delivery warning
    }
}

final class AlreadySyncingAfter {
    func synchronize(completion: @escaping ((any Error)?) -> Void) {
        guard !isSyncing else {
            completion(Failure.alreadySyncing)
            return
        }
        isSyncing = true
        performSync(completion: completion)
    }
}

// ISSUE mentrena/SyncKit#96

final class NoRecordBefore {
    func share(_ object: Item, completion: @escaping (Share?, (any Error)?) -> Void) {
        guard let adapter = adapters.first, let record = adapter.record(for: object) else {
            return  // EXPECT missing-delivery warning
        }
        database.save(record) { share, error in completion(share, error) }
    }
}

final class NoRecordAfter {
    func share(_ object: Item, completion: @escaping (Share?, (any Error)?) -> Void) {
        guard let adapter = adapters.first, let record = adapter.record(for: object) else {
            completion(nil, Failure.noRecord)
            return
        }
        database.save(record) { share, error in completion(share, error) }
    }
}

// ISSUE brave/brave-ios#2376

final class InvalidStatusBefore {
    func unpack(completion: @escaping (URL?, String?) -> Void) {
        download { data, response in
            if response.status < 200 || response.status > 299 {
                completion(nil, "invalid status")
            }
            completion(self.write(data), nil)  // EXPECT double-delivery error
        }
    }
}

final class InvalidStatusAfter {
    func unpack(completion: @escaping (URL?, String?) -> Void) {
        download { data, response in
            if response.status < 200 || response.status > 299 {
                return completion(nil, "invalid status")
            }
            completion(self.write(data), nil)
        }
    }
}

// ISSUE contentful/contentful.swift#330

final class CaughtAndGoesOnBefore {
    func handle(_ data: Data, completion: @escaping (Result<Item, any Error>) -> Void) {
        var item: Item?
        do {
            item = try decoder.decode(data)
        } catch {
            completion(.failure(error))
        }
        guard let item else {
            completion(.failure(Failure.unparseable))  // EXPECT double-delivery error
            return
        }
        completion(.success(item))  // EXPECT double-delivery error
    }
}

final class CaughtAndGoesOnAfter {
    func handle(_ data: Data, completion: @escaping (Result<Item, any Error>) -> Void) {
        do {
            completion(.success(try decoder.decode(data)))
        } catch {
            completion(.failure(error))
        }
    }
}

// ISSUE cocoaheadsru/application#302

final class NotFilledInBefore {
    func send(completion: @escaping (Bool) -> Void) {
        guard let title = form.title, let text = form.text else {
            form.markMissing()
            return  // EXPECT missing-delivery warning
        }
        client.send(title, text) { answer in completion(answer.isAccepted) }
    }
}

final class NotFilledInAfter {
    func send(completion: @escaping (Bool) -> Void) {
        guard let title = form.title, let text = form.text else {
            form.markMissing()
            completion(false)
            return
        }
        client.send(title, text) { answer in completion(answer.isAccepted) }
    }
}

// ISSUE olivierboucher/StreamCenter#18

final class SecondRequestBefore {
    func streams(_ channel: String, completion: @escaping ([Item]?, (any Error)?) -> Void) {
        token(for: channel) { token, error in
            if let token {
                self.playlist(channel, token) { items, error in completion(items, error) }
            }
            completion(nil, error ?? Failure.noToken)  // EXPECT double-delivery warning
        }
    }
}

final class SecondRequestAfter {
    func streams(_ channel: String, completion: @escaping ([Item]?, (any Error)?) -> Void) {
        token(for: channel) { token, error in
            if let token {
                self.playlist(channel, token) { items, error in completion(items, error) }
                return
            }
            completion(nil, error ?? Failure.noToken)
        }
    }
}

// ISSUE diamirio/Endpoints#14

final class CancelledReturnsBefore {
    func data(for url: URL) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            session.dataTask(url) { data, error in
                guard !Task.isCancelled else { return }  // EXPECT cancel-latch warning
                if let data {
                    continuation.resume(returning: data)
                } else {
                    continuation.resume(throwing: error ?? Failure.noData)
                }
            }
        }
    }
}

final class CancelledReturnsAfter {
    func data(for url: URL) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            session.dataTask(url) { data, error in
                guard !Task.isCancelled else {
                    continuation.resume(throwing: CancellationError())
                    return
                }
                if let data {
                    continuation.resume(returning: data)
                } else {
                    continuation.resume(throwing: error ?? Failure.noData)
                }
            }
        }
    }
}
