// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Keep a completion handler for old callers".

import AsyncBridge
import Dispatch
import Synchronization

// snippet.CONTACTS
final class ContactsAPI: Sendable {
    // New: the implementation.
    func contacts() async throws -> [Contact] { [Contact(name: "Aristotle")] }

    // Old: what callers know.
    @preconcurrency
    func fetchContacts(completion: @escaping @Sendable (Result<[Contact], any Error>) -> Void) {
        callAsync {
            try await self.contacts()
        } completion: {
            completion($0)
        }
    }
}
// snippet.end

final class ContactsOfCallAsync: Sendable {
    func contacts() async throws -> [Contact] { [Contact(name: "Ovid")] }

    // snippet.FETCH
    func fetchContacts(completion: @escaping @Sendable (Result<[Contact], any Error>) -> Void) {
        callAsync {
            try await self.contacts()
        } completion: {
            completion($0)
        }
    }
    // snippet.end
}

final class ContactsOnTheMainActor: Sendable {
    func contacts() async throws -> [Contact] { [Contact(name: "Seneca")] }

    // snippet.MAIN
    func fetchContacts(completion: @escaping @MainActor ([Contact]?, (any Error)?) -> Void) {
        callAsync {
            try await self.contacts()
        } completion: { @MainActor contacts, error in
            completion(contacts, error)
        }
    }
    // snippet.end
}

func onExecutor(_ executor: any TaskExecutor, client: QuoteClient) -> CallHandle {
    // snippet.ON
    callAsync(deliver: .on(executor)) {
        try await client.quote(id: 1)
    } completion: { (result: Result<Quote, any Error>) in
        show((try? result.get()) ?? "There is no quote today.")
    }
    // snippet.end
}

@MainActor
func through(queue: DispatchQueue, client: QuoteClient, id: Int) -> CallHandle {
    // snippet.THROUGH
    callAsync(deliver: .through { queue.async(execute: $0) }) {
        try await client.quote(id: id)
    } completion: { result in
        show(result)
    }
    // snippet.end
}

@MainActor
func wrapper(api: ContactsAPI) {
    // snippet.WRAPPER
    let oldStyle = CompletionHandlerWrapper { try await api.contacts() }
    oldStyle.load { result in show(result) }
    // snippet.end
}

@MainActor
func handle(client: QuoteClient) async {
    // snippet.HANDLE
    let handle = callAsync {
        try await client.quote(id: 1)
    } completion: { (quote: Quote?, error: (any Error)?) in
        show(quote ?? "There is no quote today.")
    }
    // Later, when nobody wants the quote any more:
    handle.cancel()
    // snippet.end
    await handle.finished()
}

// snippet.QUEUE
final class Drafts: Sendable {
    private let saves = CallQueue()

    func save(_ draft: Draft, completion: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        callAsync(in: self.saves) {
            try await self.save(draft)
        } completion: {
            completion($0)
        }
    }

    func save(_ draft: Draft) async throws { try await disk.write(draft) }
}
// snippet.end

/// How many things have been shown.
let shown = Mutex(0)

show(try await withCallback { callback in ContactsAPI().fetchContacts(completion: callback.handler()) })
wrapper(api: ContactsAPI())
while shown.withLock({ $0 }) < 2 { await Task.yield() }
await through(queue: DispatchQueue(label: "old"), client: QuoteClient(), id: 1).finished()
await handle(client: QuoteClient())
await onExecutor(globalConcurrentExecutor, client: QuoteClient()).finished()
show(try await withCallback { callback in ContactsOnTheMainActor().fetchContacts(completion: callback.handler()) })
let drafts = Drafts()
drafts.save(Draft(text: "first")) { _ in }
try await withCallback { callback in drafts.save(Draft(text: "second"), completion: callback.handler()) }

// snippet.hide
// MARK: - Stand-ins

struct Contact: Sendable {
    let name: String
}

struct Quote: Sendable {
    let id: Int
    let text: String
}

struct QuoteClient: Sendable {
    func quote(id: Int) async throws -> Quote { Quote(id: id, text: "Well begun is half done.") }
}

struct Draft: Sendable {
    let text: String
}

struct Disk: Sendable {
    func write(_ draft: Draft) async throws { show("wrote \(draft.text)") }
}

let disk = Disk()

@Sendable
func show(_ something: Any) {
    print(something)
    shown.withLock { $0 += 1 }
}
