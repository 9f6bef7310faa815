// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Combine
import AsyncBridge
import AsyncBridgeCombine
import OpenCombineShim
import Synchronization
import Testing

// The forms of the article "Bridge async await, delegates, Combine and completion blocks", with its names.

private struct Contact: Equatable, Sendable {
    let name: String
}

private enum ContactsError: Error {
    case denied
}

private let contacts = [Contact(name: "Ada"), Contact(name: "Alan")]

// MARK: - From Combine to async/await

private protocol PublishingContactsAPI {
    func fetchContacts() -> AnyPublisher<[Contact], any Error>
}

private final class ContactsHandler {
    let api: any PublishingContactsAPI

    init(api: any PublishingContactsAPI) { self.api = api }

    func listenToMultiplePublishedElements() async throws -> [[Contact]] {
        var heard: [[Contact]] = []
        for try await listContacts in self.api.fetchContacts().elements(buffering: .bounded(capacity: 16)) {
            heard.append(listContacts)
        }
        return heard
    }

    func getFirstListOfContacts() async throws -> [Contact] {
        var iterator = self.api.fetchContacts().elements(buffering: .bounded(capacity: 1)).makeAsyncIterator()
        return try await iterator.next() ?? []
    }

    func getFirstListInOneCall() async throws -> [Contact] {
        try await self.api.fetchContacts().firstValueOrNil() ?? []
    }
}

private struct ManyLists: PublishingContactsAPI {
    let lists: [[Contact]]

    func fetchContacts() -> AnyPublisher<[Contact], any Error> {
        self.lists.publisher.setFailureType(to: (any Error).self).eraseToAnyPublisher()
    }
}

private struct Refusing: PublishingContactsAPI {
    func fetchContacts() -> AnyPublisher<[Contact], any Error> {
        Fail(error: ContactsError.denied).eraseToAnyPublisher()
    }
}

// MARK: - From async/await to Combine

private protocol AsyncContactsAPI: Sendable {
    func fetchContacts() async throws -> [Contact]
}

extension AsyncContactsAPI {
    fileprivate func fetchContacts() -> AnyPublisher<[Contact], any Error> {
        TaskPublisher { try await self.fetchContacts() }.eraseToAnyPublisher()
    }

    /// The seed's `Future`, which starts at once.
    fileprivate func fetchContactsAtOnce() -> Future<[Contact], any Error> {
        Future { try await self.fetchContacts() }
    }
}

private struct Stored: AsyncContactsAPI {
    let result: Result<[Contact], any Error>

    func fetchContacts() async throws -> [Contact] {
        await Task.yield()
        return try self.result.get()
    }
}

@Suite("The article on bridges", .timeLimit(.minutes(10)))
struct BridgeSeedTests {
    @Test func `combine to async`() async throws {
        let handler = ContactsHandler(api: ManyLists(lists: [contacts, []]))
        #expect(try await handler.listenToMultiplePublishedElements() == [contacts, []])
        #expect(try await handler.getFirstListOfContacts() == contacts)
        #expect(try await handler.getFirstListInOneCall() == contacts)
        let empty = ContactsHandler(api: ManyLists(lists: []))
        #expect(try await empty.getFirstListOfContacts() == [])
        #expect(try await empty.getFirstListInOneCall() == [])
        let refusing = ContactsHandler(api: Refusing())
        await #expect(throws: ContactsError.denied) { try await refusing.listenToMultiplePublishedElements() }
        await #expect(throws: ContactsError.denied) { try await refusing.getFirstListOfContacts() }
        await #expect(throws: ContactsError.denied) { try await refusing.getFirstListInOneCall() }
    }

    @Test func `async to combine`() async throws {
        let (api, refusing) = (Stored(result: .success(contacts)), Stored(result: .failure(ContactsError.denied)))
        let publisher: AnyPublisher<[Contact], any Error> = api.fetchContacts()
        #expect(try await publisher.singleValue() == contacts)
        #expect(try await api.fetchContactsAtOnce().singleValue() == contacts)
        let refused: AnyPublisher<[Contact], any Error> = refusing.fetchContacts()
        await #expect(throws: ContactsError.denied) { try await refused.singleValue() }
        await #expect(throws: ContactsError.denied) { try await refusing.fetchContactsAtOnce().singleValue() }
    }

    /// The seed's line as it stands, in a class of the main actor: the closures are isolated to it.
    @Test func `async sequences to combine, on the main actor`() async {
        let (stream, continuation) = AsyncThrowingStream<Contact, any Error>.makeStream()
        let list = await ContactList(stream)
        for contact in contacts { continuation.yield(contact) }
        continuation.finish(throwing: ContactsError.denied)
        while await !list.isOver, !Task.isCancelled { await Task.yield() }
        #expect(await list.contacts == contacts)
    }

    @Test func `async sequences to combine`() async throws {
        let asked = Atomic(0)
        let throwing = AsyncThrowingStream<Contact, any Error> {
            let index = asked.wrappingAdd(1, ordering: .relaxed).oldValue
            if index == contacts.count { throw ContactsError.denied }
            return contacts[index]
        }
        let heard = await Sinking.everything(from: throwing.toPublisher())
        #expect(heard.values == contacts)
        #expect(heard.failure as? ContactsError == .denied)

        let (stream, continuation) = AsyncStream<Contact>.makeStream()
        for contact in contacts { continuation.yield(contact) }
        continuation.finish()
        let other = await Sinking.everything(from: stream.toPublisher().setFailureType(to: (any Error).self))
        #expect(other.values == contacts)
        #expect(other.failure == nil)
    }
}

@MainActor
private final class ContactList {
    private(set) var contacts: [Contact] = []
    private(set) var isOver = false
    private var cancellables: Set<AnyCancellable> = []

    init(_ stream: AsyncThrowingStream<Contact, any Error>) {
        stream
            .toPublisher()
            .sink(
                receiveCompletion: { completion in
                    self.isOver = true
                },
                receiveValue: { contact in
                    self.contacts.append(contact)
                }
            )
            .store(in: &self.cancellables)
    }
}

/// What `sink` and `store(in:)` hear, as in the article.
private enum Sinking {
    static func everything<P: Publisher>(
        from publisher: P
    ) async -> (values: [P.Output], failure: (any Error)?) where P.Output: Sendable, P.Failure == any Error {
        var cancellables: Set<AnyCancellable> = []
        let values = Mutex<[P.Output]>([])
        let failure: (any Error)? = await withCheckedContinuation { continuation in
            publisher.sink(
                receiveCompletion: { completion in
                    switch completion {
                    case .finished: continuation.resume(returning: nil)
                    case .failure(let error): continuation.resume(returning: error)
                    }
                },
                receiveValue: { value in values.withLock { $0.append(value) } }
            )
            .store(in: &cancellables)
        }
        return (values.withLock { $0 }, failure)
    }
}
#endif
