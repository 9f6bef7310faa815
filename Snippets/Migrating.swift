// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Migrating a codebase".

import AsyncBridge
import Dispatch
import Synchronization

// Step 2.

protocol ContactsAPI {
    func fetchContacts(_ completion: @escaping @Sendable (Result<[Contact], any Error>) -> Void)
}

// snippet.BESIDE
extension ContactsAPI {
    func fetchContacts() async throws -> [Contact] {
        try await withCallback { callback in self.fetchContacts(callback.handler()) }
    }
}
// snippet.end

// Step 3.

final class AddressBook: Sendable {
    private let queue = DispatchQueue(label: "callers")
    private let saves = CallQueue()
    private let contacts = Mutex<[Contact]>([])

    func fetchContacts() async throws -> [Contact] { self.contacts.withLock { $0 } }

    func saveContacts(_ contacts: [Contact]) async throws -> Int {
        self.contacts.withLock { stored in
            stored += contacts
            return stored.count
        }
    }

    // snippet.TURNED
    @preconcurrency
    func fetchContacts(_ completion: @escaping @Sendable (Result<[Contact], any Error>) -> Void) {
        callAsync(deliver: .through { self.queue.async(execute: $0) }) {
            try await self.fetchContacts()
        } completion: {
            completion($0)
        }
    }
    // snippet.end

    // snippet.ORDER
    @preconcurrency
    func saveContacts(_ contacts: [Contact], _ completion: @escaping @Sendable (Result<Int, any Error>) -> Void) {
        callAsync(in: self.saves, deliver: .through { self.queue.async(execute: $0) }) {
            try await self.saveContacts(contacts)
        } completion: {
            completion($0)
        }
    }
    // snippet.end
}

let book = AddressBook()

// SE-0495
#if compiler(>=6.3)
// snippet.C
@c func contacts_count(
    _ done: @escaping @convention(c) @Sendable (_ context: UnsafeMutableRawPointer?, _ count: Int) -> Void,
    _ context: UnsafeMutableRawPointer?
) {
    // Safe: passed on, and not looked at. The caller has promised that it may be used on another thread.
    nonisolated(unsafe) let context = context
    callAsync {
        try await book.fetchContacts().count
    } completion: { result in
        done(context, (try? result.get()) ?? -1)
    }
}
// snippet.end
#endif

// snippet.FROMC
func length(of name: String) async throws -> Int32 {
    try await withCallback(timeout: .seconds(5)) { callback in
        let box = Unmanaged.passRetained(Box(callback)).toOpaque()
        legacy_length(name, box) { box, length in
            Unmanaged<Box>.fromOpaque(box).takeRetainedValue().callback.resume(returning: length)
        }
    }
}
// snippet.end

struct OldContacts: ContactsAPI {
    func fetchContacts(_ completion: @escaping @Sendable (Result<[Contact], any Error>) -> Void) {
        completion(.success([Contact(name: "Aristotle")]))
    }
}

print(try await OldContacts().fetchContacts())
for number in 1..<4 {
    book.saveContacts([Contact(name: "Contact \(number)")]) { print("saved", (try? $0.get()) ?? 0) }
}
let last = try await withCallback { callback in book.saveContacts([Contact(name: "last")], callback.handler()) }
precondition(last == 4, "the saves were not in order")
let all = try await withCallback { callback in book.fetchContacts(callback.handler()) }
precondition(all.map(\.name) == ["Contact 1", "Contact 2", "Contact 3", "last"])

#if compiler(>=6.3)
let counted = Mutex<Callback<Int, any Error>?>(nil)
let count = try await withCallback(of: Int.self) { callback in
    counted.withLock { $0 = callback }
    contacts_count({ _, count in _ = counted.withLock { $0?.resume(returning: count) } }, nil)
}
precondition(count == 4)
#endif
let letters = try await length(of: "Ovid")
precondition(letters == 4)

// snippet.hide
// MARK: - Stand-ins

struct Contact: Sendable {
    let name: String
}

final class Box: Sendable {
    let callback: Callback<Int32, any Error>

    init(_ callback: Callback<Int32, any Error>) { self.callback = callback }
}

/// As a header of C says it.
func legacy_length(
    _ text: String,
    _ context: UnsafeMutableRawPointer,
    _ done: @escaping @convention(c) @Sendable (UnsafeMutableRawPointer, Int32) -> Void
) {
    let length = Int32(text.utf8.count)
    // Safe: only passed on.
    nonisolated(unsafe) let context = context
    DispatchQueue.global().async { done(context, length) }
}
