// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Synchronization

/// One result, delivered once: the half held by the code that may answer.
///
/// Reference counting is the drop detection: only answerers own this object (and the waiter until it parks), so its
/// `deinit` is the moment at which nothing can answer any more.
///
/// The state is ``word``. As long as nobody waits it is its own ``OneShotState``: `idle`, `claimed`, `full`, `closed`
/// or `closedAnswered`. A waiter that parks or a cancel action, whichever is first, puts the address of a
/// ``OneShotWait`` there, and from then on the state is in that object:
///
/// | From      | To        | By                                                                |
/// |-----------|-----------|-------------------------------------------------------------------|
/// | `idle`    | `claimed` | a deliverer                                                       |
/// | `claimed` | `full`    | the same deliverer, once it has written                           |
/// | `idle`    | `closed`  | the waiter, which leaves                                          |
/// | `claimed` | `closed`  | the waiter, which leaves; the deliverer takes its result back     |
/// | `closed`  | answered  | a late deliverer                                                  |
/// | `idle`    | address   | the waiter or a cancel action; the new object is `idle`           |
/// | `claimed` | address   | the waiter; the new object is `claimed`, the deliverer moves over |
///
/// Invariant: an address is never replaced, and its object is retained until this one goes.
@usableFromInline
package final class OneShot: Sendable {
    @usableFromInline let word: Atomic<UInt>

    // Safe: written by the one deliverer that moved the state to `claimed`, read after `full` was seen.
    @usableFromInline @exclusivity(unchecked) nonisolated(unsafe) var payload = Payload()

    // Safe: as `payload`.
    @usableFromInline @exclusivity(unchecked) nonisolated(unsafe) var settled: CallSite?

    /// Where the callback was made.
    @usableFromInline package let made: CallSite

    /// The handler for values that arrive too late: a ``LateValueHandler`` of the right type.
    @usableFromInline package let lateValues: (any AnyObject & Sendable)?

    @_alwaysEmitIntoClient
    package init(made: CallSite, lateValues: (any AnyObject & Sendable)? = nil) {
        self.word = Atomic(OneShotState.idle.rawValue)
        self.made = made
        self.lateValues = lateValues
    }

    deinit {
        guard let wait = Self.wait(in: self.word.load(ordering: .acquiring)) else { return }
        // Safe: balances the retain of `attachWait`, which no other code balances.
        let owned = unsafe Unmanaged.passUnretained(wait)
        // Reported before the waiter runs again, so that code that catches the error finds the report.
        wait.end(.dropped) { Diagnostics.reportDrop(wait.bridge, made: self.made) }
        unsafe owned.release()
    }

    /// The object whose address the word holds, if it holds one.
    @_alwaysEmitIntoClient @inline(__always)
    static func wait(in word: UInt) -> OneShotWait? {
        guard word >= 16, let address = unsafe UnsafeRawPointer(bitPattern: word) else { return nil }
        // Safe: a word this large is the address that `attachWait` stored, whose object lives as long as `self`.
        return unsafe Unmanaged<OneShotWait>.fromOpaque(address).takeUnretainedValue()
    }
}

// MARK: - Delivering

extension OneShot {
    /// A result that was not delivered, on its way back to the caller.
    @usableFromInline
    package struct Refused<Value> {
        @usableFromInline package var value: Value
        /// Whether there was an answer before, which is the caller's mistake.
        @usableFromInline package var isDuplicate: Bool

        @_alwaysEmitIntoClient
        init(value: consuming Value, isDuplicate: Bool) {
            self.value = value
            self.isDuplicate = isDuplicate
        }
    }

    /// Delivers a result, or hands it back.
    ///
    /// Every answerer of one ``OneShot`` and its waiter use the same type.
    ///
    /// - Complexity: O(1). Allocates nothing for values of up to 32 bytes.
    @_alwaysEmitIntoClient
    package func deliver<Value>(_ value: consuming Value, at site: CallSite) -> Refused<Value>? {
        let (claimed, seen) = self.word.compareExchange(
            expected: OneShotState.idle.rawValue,
            desired: OneShotState.claimed.rawValue,
            ordering: .acquiring
        )
        guard claimed else { return self.deliverLater(value, at: site, seen: seen) }
        // Safe: the exchange made this the only deliverer, and no thread reads before `full`.
        unsafe self.payload.store(value)
        unsafe self.settled = site
        let (published, now) = self.word.compareExchange(
            expected: OneShotState.claimed.rawValue,
            desired: OneShotState.full.rawValue,
            ordering: .acquiringAndReleasing
        )
        if published { return nil }
        return self.moveOver(Value.self, seen: now)
    }

    /// Delivers when the word was not `idle`.
    @_alwaysEmitIntoClient
    func deliverLater<Value>(_ value: consuming Value, at site: CallSite, seen: UInt) -> Refused<Value>? {
        guard let wait = Self.wait(in: seen) else {
            return Refused(value: value, isDuplicate: self.noteLateAnswer())
        }
        switch wait.word.apply({ $0.claim() }) {
        case .write:
            // Safe: the action makes this the only deliverer, and no thread reads before `full`.
            unsafe wait.payload.store(value)
            unsafe self.settled = site
            return self.publish(Value.self, to: wait)
        case .late:
            return Refused(value: value, isDuplicate: false)
        case .duplicate:
            return Refused(value: value, isDuplicate: true)
        }
    }

    /// The deliverer comes back from writing and finds that the state has moved.
    @_alwaysEmitIntoClient
    func moveOver<Value>(_: Value.Type, seen: UInt) -> Refused<Value>? {
        guard let wait = Self.wait(in: seen) else {
            // The waiter has left. Safe: no other thread will take what this deliverer wrote.
            _ = self.noteLateAnswer()
            return Refused(value: unsafe self.payload.take(), isDuplicate: false)
        }
        // Safe: both are this deliverer's own until it publishes.
        unsafe wait.payload.store(self.payload.take(as: Value.self))
        return self.publish(Value.self, to: wait)
    }

    @_alwaysEmitIntoClient
    func publish<Value>(_: Value.Type, to wait: OneShotWait) -> Refused<Value>? {
        switch wait.word.apply({ $0.publish() }) {
        case .keep:
            return nil
        case .resume:
            wait.resume()
            return nil
        case .takeBack:
            // Safe: written by this deliverer, and the waiter has left.
            return Refused(value: unsafe wait.payload.take(), isDuplicate: false)
        }
    }

    /// Notes an answer in a state, held in the word itself, that no longer takes one.
    ///
    /// - Returns: Whether it was not the first.
    @usableFromInline
    func noteLateAnswer() -> Bool {
        let (first, _) = self.word.compareExchange(
            expected: OneShotState.closed.rawValue,
            desired: OneShotState.closedAnswered.rawValue,
            ordering: .acquiringAndReleasing
        )
        return !first
    }

    /// Where the delivered result came from, if there is one.
    package var settledSite: CallSite? {
        let word = self.word.load(ordering: .acquiring)
        let state = Self.wait(in: word)?.word.state ?? OneShotWord.decode(word)
        // Safe: written before `full`, which was seen, and never again.
        return state == .full ? unsafe self.settled : nil
    }

    /// Whether a waiter may still be waiting for the result.
    @usableFromInline package var isOpen: Bool {
        let word = self.word.load(ordering: .acquiring)
        switch Self.wait(in: word)?.word.state ?? OneShotWord.decode(word) {
        case .idle, .parked, .wakeRequested: return true
        case .claimed, .claimedParked, .full, .closed, .closedAnswered, .cancelled, .cancelledAnswered, .timedOut,
            .timedOutAnswered, .dropped:
            return false
        }
    }
}

// MARK: - Waiting

extension OneShot {
    /// Takes the result if it came before anybody had to wait for it.
    @_alwaysEmitIntoClient @inline(__always)
    package func takeIfFull<Value>(as _: Value.Type) -> Value? {
        guard self.word.load(ordering: .acquiring) == OneShotState.full.rawValue else { return nil }
        // Safe: `full` was seen, and only the one waiter takes.
        return unsafe self.payload.take()
    }

    /// What asks for the object to wait with.
    package enum Attachment {
        /// The waiter, which also waits for a result that is just being written.
        case waiter
        /// A cancel action, which is pointless once there is a result.
        case cancelAction
    }

    /// The object to wait with, made if there is none.
    ///
    /// - Returns: `nil` if the result has come already.
    package func attachWait(for attachment: Attachment, bridge: StaticString) -> OneShotWait? {
        var seen = self.word.load(ordering: .acquiring)
        while true {
            if let wait = Self.wait(in: seen) { return wait }
            let start: OneShotState
            switch (OneShotWord.decode(seen), attachment) {
            case (.idle, _): start = .idle
            case (.claimed, .waiter): start = .claimed
            case (.claimed, .cancelAction): return nil
            case (.parked, _), (.claimedParked, _), (.wakeRequested, _), (.full, _), (.closed, _), (.closedAnswered, _),
                (.cancelled, _), (.cancelledAnswered, _), (.timedOut, _), (.timedOutAnswered, _), (.dropped, _):
                return nil
            }
            let wait = OneShotWait(start, made: self.made, bridge: bridge)
            // Safe: released in `deinit`, or below if the address did not get in.
            let retained = unsafe Unmanaged.passRetained(wait)
            let (attached, original) = self.word.compareExchange(
                expected: seen,
                desired: UInt(bitPattern: unsafe retained.toOpaque()),
                ordering: .acquiringAndReleasing
            )
            if attached { return wait }
            unsafe retained.release()
            seen = original
        }
    }

    /// The waiter leaves without waiting.
    ///
    /// A result that was already delivered is returned, to be disposed of.
    package func close<Value>(as _: Value.Type) -> Value? {
        var seen = self.word.load(ordering: .acquiring)
        while true {
            if let wait = Self.wait(in: seen) { return wait.close(as: Value.self) }
            let (next, action) = OneShotWord.decode(seen).close()
            // Safe: the action says that the result is there, and the waiter's to take.
            if action == .dispose { return unsafe self.payload.take() }
            let (closed, original) = self.word.compareExchange(
                expected: seen,
                desired: next.rawValue,
                ordering: .acquiringAndReleasing
            )
            if closed { return nil }
            seen = original
        }
    }
}
