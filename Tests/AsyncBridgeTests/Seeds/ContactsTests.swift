// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Testing

@Suite("Seed 001: contacts, from completion handlers to async", .timeLimit(.minutes(10)))
struct ContactsTests {
    private let contacts = [Contact(name: "Ada"), Contact(name: "Grace")]

    @Test(arguments: [StoredContacts.Habit.later, .atOnce])
    func `the result is returned`(_ habit: StoredContacts.Habit) async throws {
        let api = StoredContacts(result: .success(self.contacts), habit: habit)
        let result: Result<[Contact], any Error> = await api.fetchContacts()
        #expect(try result.get() == self.contacts)
        let contacts: [Contact] = try await api.fetchContacts()
        #expect(contacts == self.contacts)
    }

    @Test(arguments: [StoredContacts.Habit.later, .atOnce])
    func `the error is returned or thrown`(_ habit: StoredContacts.Habit) async {
        let api = StoredContacts(result: .failure(ContactsError()), habit: habit)
        let result: Result<[Contact], any Error> = await api.fetchContacts()
        #expect(throws: ContactsError()) { try result.get() }
        await #expect(throws: ContactsError()) {
            let _: [Contact] = try await api.fetchContacts()
        }
    }

    @Test func `a service that never calls back does not hang`() async {
        CollectedReports.begin()
        let api = StoredContacts(result: .success([]), habit: .never)
        let result: Result<[Contact], any Error> = await api.fetchContacts()
        let returned = #expect(throws: BridgeFault.self) { try result.get() }
        #expect(returned?.code == .callbackDropped)
        #expect(returned?.made.fileID == "AsyncBridgeTests/Contacts.swift")
        let thrown = await #expect(throws: BridgeFault.self) {
            let _: [Contact] = try await api.fetchContacts()
        }
        #expect(thrown?.code == .callbackDropped)
        #expect(thrown?.made != returned?.made)
    }

    /// A protocol is met by both worlds: wherever the old form is asked for, the async forms come with it.
    @Test func `works for any service`() async throws {
        let api: any ContactsAPI = StoredContacts(result: .success(self.contacts))
        let contacts: [Contact] = try await api.fetchContacts()
        #expect(contacts == self.contacts)
    }
}

@Suite("Seed 001: contacts, from async to completion handlers", .timeLimit(.minutes(10)))
struct AsyncContactsTests {
    private typealias Completion = @Sendable (Result<[Contact], any Error>) -> Void

    enum Form: CaseIterable {
        case throwing
        case result
        case direct
    }

    private func fetch(_ api: AwaitedContacts, by form: Form, _ completion: @escaping Completion) -> CallHandle {
        switch form {
        case .throwing: api.fetchContacts(completion)
        case .result: api.fetchContactsResult(completion)
        case .direct: api.fetchContactsDirectly(completion)
        }
    }

    private let outcomes = Log<Result<[Contact], any Error>>()

    @Test(arguments: Form.allCases)
    func `the completion handler is called once with the contacts`(_ form: Form) async throws {
        let api = AwaitedContacts()
        let handle = self.fetch(api, by: form) { self.outcomes($0) }
        await api.begun.reaches(1)
        #expect(self.outcomes.count == 0)
        api.answer(.success([Contact(name: "Ada")]))
        await handle.finished()
        #expect(try self.outcomes.all.map { try $0.get() } == [[Contact(name: "Ada")]])
    }

    @Test(arguments: Form.allCases)
    func `the completion handler is called once with the error`(_ form: Form) async {
        let api = AwaitedContacts()
        let handle = self.fetch(api, by: form) { self.outcomes($0) }
        await api.begun.reaches(1)
        api.answer(.failure(ContactsError()))
        await handle.finished()
        #expect(self.outcomes.count == 1)
        #expect(throws: ContactsError()) { try self.outcomes.all.first?.get() }
    }

    @Test(arguments: Form.allCases)
    func `the completion handler is called once when the call is cancelled`(_ form: Form) async {
        let api = AwaitedContacts()
        let handle = self.fetch(api, by: form) { self.outcomes($0) }
        await api.begun.reaches(1)
        handle.cancel()
        await handle.finished()
        #expect(self.outcomes.count == 1)
        #expect(throws: CancellationError.self) { try self.outcomes.all.first?.get() }
    }
}

@Suite("Seed 001: async sequences for callers that do not use async", .timeLimit(.minutes(10)))
struct SequenceFormsTests {
    private struct Endless: AsyncSequence, AsyncIteratorProtocol, Sendable {
        var next = 0

        func makeAsyncIterator() -> Self { self }

        mutating func next() async throws -> Int? {
            self.next += 1
            return self.next
        }
    }

    private let elements = Log<Int>()
    private let ends = Log<Result<Void, any Error>>()

    private func numbers(_ count: Int) -> AsyncStream<Int> {
        AsyncStream { continuation in
            for number in 0..<count { continuation.yield(number) }
            continuation.finish()
        }
    }

    @Test func `each element and the end are delivered in order`() async throws {
        let handle = self.numbers(100).forEach {
            self.elements($0)
        } onCompletion: {
            self.ends($0)
        }
        await handle.finished()
        #expect(self.elements.all == Array(0..<100))
        #expect(self.ends.count == 1)
        try self.ends.all.first?.get()
    }

    @Test func `the error comes after the elements`() async {
        let stream = AsyncThrowingStream<Int, any Error> { continuation in
            continuation.yield(1)
            continuation.finish(throwing: ContactsError())
        }
        let handle = stream.forEach {
            self.elements($0)
        } onCompletion: {
            self.ends($0)
        }
        await handle.finished()
        #expect(self.elements.all == [1])
        #expect(self.ends.count == 1)
        #expect(throws: ContactsError()) { try self.ends.all.first?.get() }
    }

    /// `AsyncStream` ends quietly when it is cancelled, and the caller must hear why.
    @Test func `cancelling ends in a cancellation error`() async {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let begun = Tally()
        let handle = stream.forEach { _ in
            begun.add()
        } onCompletion: {
            self.ends($0)
        }
        continuation.yield(1)
        await begun.reaches(1)
        handle.cancel()
        await handle.finished()
        #expect(handle.isCancelled)
        #expect(self.ends.count == 1)
        #expect(throws: CancellationError.self) { try self.ends.all.first?.get() }
    }

    @MainActor
    @Test func `no element is delivered after the handler cancelled`() async throws {
        var call: CallHandle?
        // The handlers run on this actor, so the handle is there before the first one.
        call = Endless().forEach { element in
            self.elements(element)
            if element == 3 { call?.cancel() }
        } onCompletion: {
            self.ends($0)
        }
        await call?.finished()
        #expect(self.elements.all == [1, 2, 3])
        #expect(self.ends.count == 1)
        #expect(throws: CancellationError.self) { try self.ends.all.first?.get() }
    }

    @MainActor
    @Test func `the handlers run on the caller's actor`() async {
        var story: [Bool] = []
        let handle = self.numbers(2).forEach { _ in
            story.append(MainQueue.isCurrent)
        } onCompletion: { _ in
            story.append(MainQueue.isCurrent)
        }
        await handle.finished()
        #expect(story == [true, true, true])
    }

    /// The seed's way to the first value of many.
    @Test func `the first element is taken by an iterator`() async throws {
        var iterator = Endless().makeAsyncIterator()
        #expect(try await iterator.next() == 1)
    }
}
