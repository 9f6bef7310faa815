// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CAsyncBridge
import Synchronization

/// What a future that combines others puts into the list of one of them.
///
/// Safe: it lies in the memory of the whole's ``FutureLinks``. The list that it is in has a reference to the whole.
@safe
struct FutureLink {
    @safe
    struct Contents {
        /// See ``ObserverList``.
        var next: UInt = 0
        var whole: Unmanaged<AnyCoFuture>?
        /// The future, by an unowned reference, so that a promise that is dropped is noticed.
        let part: UnsafeMutableRawPointer
        /// The future, retained, once it has its value.
        var settledPart: Unmanaged<AnyCoFuture>?
        /// Its error, once it has one: such a future may be going away, and cannot be retained then.
        var error: (any Error)?
        // The address of each has no low bits set, which ``ObserverList`` keeps flags in.
        private var padding: UInt = 0

        init(part: UnsafeMutableRawPointer) { unsafe self.part = part }
    }

    let address: UnsafeMutableRawPointer

    init(_ address: UnsafeMutableRawPointer) { unsafe self.address = address }

    var contents: UnsafeMutablePointer<Contents> { unsafe self.address.assumingMemoryBound(to: Contents.self) }

    /// The future that has made the link.
    var whole: Unmanaged<AnyCoFuture> {
        guard let whole = unsafe self.contents.pointee.whole else { preconditionFailure("BUG: a link has no future") }
        return unsafe whole
    }

    var next: UInt {
        get { unsafe self.contents.pointee.next }
        nonmutating set { unsafe self.contents.pointee.next = newValue }
    }

    func retain() { _ = unsafe self.whole.retain() }

    func release() { unsafe self.whole.release() }
}

/// The links of a future to all those that it combines, in one block of memory.
///
/// Safe: a link's `settledPart` or `error` is written once, by the code that fires that part's observers, before
/// `missing` counts down; it is read by the code that counts down to zero, and in `deinit`.
@safe
struct FutureLinks: ~Copyable, @unchecked Sendable {
    private let first: UnsafeMutablePointer<FutureLink.Contents>
    private let count: Int
    private let missing: Atomic<Int>

    init(to parts: [AnyCoFuture]) {
        assert(MemoryLayout<FutureLink.Contents>.stride.isMultiple(of: 16), "BUG: no room for flags in an address")
        self.count = parts.count
        self.missing = Atomic(parts.count)
        unsafe self.first = .allocate(capacity: parts.count)
        for (index, part) in parts.enumerated() {
            let address = unsafe Unmanaged.passUnretained(part).toOpaque()
            // Safe: given up in `deinit`.
            unsafe swift_unownedRetain(address)
            unsafe (self.first + index).initialize(to: FutureLink.Contents(part: address))
        }
    }

    deinit {
        for index in 0..<self.count {
            unsafe swift_unownedRelease(self.first[index].part)
            unsafe self.first[index].settledPart?.release()
        }
        unsafe self.first.deinitialize(count: self.count)
        unsafe self.first.deallocate()
    }

    /// Says whose links these are; called once, before any of them is used.
    func begin(as whole: AnyCoFuture) {
        for index in 0..<self.count { unsafe self.first[index].whole = Unmanaged.passUnretained(whole) }
    }

    /// The link to a part.
    subscript(index: Int) -> FutureLink { unsafe FutureLink(UnsafeMutableRawPointer(self.first + index)) }

    /// Keeps a part that has its result.
    ///
    /// - Returns: Whether it was the last one.
    func keep(_ part: AnyCoFuture, at link: FutureLink) -> Bool {
        if let error = part.error {
            unsafe link.contents.pointee.error = error
        } else {
            unsafe link.contents.pointee.settledPart = Unmanaged.passRetained(part)
        }
        return self.countDown()
    }

    /// Counts a part that has its result.
    ///
    /// - Returns: Whether it was the last one.
    func countDown() -> Bool { self.missing.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 }

    /// The results of the parts; called when all have one and were kept.
    ///
    /// - Parameter transform: Gets a part that has a value, or an error.
    /// - Returns: What it makes of each.
    func map<Value>(_ transform: (Result<AnyCoFuture, any Error>) -> Value) -> [Value] {
        unsafe [Value](unsafeUninitializedCapacity: self.count) { buffer, count in
            // Safe: the buffer has room for all.
            guard let room = buffer.baseAddress else { return }
            while count < self.count {
                let value: Value
                if let part = unsafe self.first[count].settledPart {
                    value = unsafe part._withUnsafeGuaranteedRef { transform(.success($0)) }
                } else if let error = unsafe self.first[count].error {
                    value = transform(.failure(error))
                } else {
                    preconditionFailure("BUG: a part is missing")
                }
                unsafe (room + count).initialize(to: value)
                count += 1
            }
        }
    }

    /// Has all parts that are alive cancelled next, oldest first.
    func cancel(_ firing: inout FutureFiring) {
        for index in (0..<self.count).reversed() {
            // Safe: the unowned reference keeps the memory; the object is retained only if it is not going away.
            if let retained = unsafe swift_tryRetain(self.first[index].part) {
                unsafe firing.cancel(taking: Unmanaged.fromOpaque(retained))
            }
        }
    }
}
