// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Dispatch

struct Contact: Equatable, Sendable {
    var name: String
}

struct ContactsError: Error, Equatable {}

// MARK: - From completion handlers to async

protocol ContactsAPI: Sendable {
    func fetchContacts(_ completion: @escaping @Sendable (Result<[Contact], any Error>) -> Void)
}

extension ContactsAPI {
    /// The form that returns a result, interruptions included.
    func fetchContacts() async -> Result<[Contact], any Error> {
        await withCallback(ifInterrupted: { .failure($0.error) }) { callback in
            self.fetchContacts(callback.valueHandler())
        }
    }

    /// The form that throws.
    func fetchContacts() async throws -> [Contact] {
        try await withCallback { self.fetchContacts($0.handler()) }
    }
}

/// Calls back on a queue, as real ones do; or at once, or never.
struct StoredContacts: ContactsAPI {
    enum Habit {
        case later
        case atOnce
        case never
    }

    var result: Result<[Contact], any Error>
    var habit = Habit.later

    func fetchContacts(_ completion: @escaping @Sendable (Result<[Contact], any Error>) -> Void) {
        switch self.habit {
        case .later: DispatchQueue.global().async { completion(self.result) }
        case .atOnce: completion(self.result)
        case .never: break
        }
    }
}

// MARK: - From async to completion handlers

protocol AsyncContactsAPI: Sendable {
    func contacts() async throws -> [Contact]

    func contactsResult() async -> Result<[Contact], any Error>
}

extension AsyncContactsAPI {
    @discardableResult
    func fetchContacts(_ completion: @escaping @Sendable (Result<[Contact], any Error>) -> Void) -> CallHandle {
        callAsync {
            try await self.contacts()
        } completion: {
            completion($0)
        }
    }

    /// From the form that returns a result.
    @discardableResult
    func fetchContactsResult(_ completion: @escaping @Sendable (Result<[Contact], any Error>) -> Void) -> CallHandle {
        callAsync {
            try await self.contactsResult().get()
        } completion: {
            completion($0)
        }
    }

    /// The handler goes on as it is.
    @discardableResult
    func fetchContactsDirectly(_ completion: @escaping @Sendable (Result<[Contact], any Error>) -> Void) -> CallHandle {
        callAsync({ try await self.contacts() }, completion: completion)
    }
}

/// Answers when the test says so.
final class AwaitedContacts: AsyncContactsAPI {
    private let reply = ReplySlot<[Contact]>()
    let begun = Tally()

    func contacts() async throws -> [Contact] { try await self.reply.wait { self.begun.add() } }

    func contactsResult() async -> Result<[Contact], any Error> {
        do { return .success(try await self.contacts()) } catch { return .failure(error) }
    }

    func answer(_ result: Result<[Contact], any Error>) { self.reply.resume(with: result) }
}
