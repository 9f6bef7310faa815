// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Synchronization

/// One call of `select`.
///
/// The algorithm is that of Go's runtime (`selectgo`): all places are locked at once, in one order for everybody, so that either a
/// branch happens, or the party is enlisted everywhere, and nobody sees it in one place and not in another. Whoever claims the
/// party first decides which branch it is.
@usableFromInline
struct Selection {
    private var cases: [AnySelectCase] = []
    private var fallback: AnySelectCase?

    private init(_ cases: [AnySelectCase], biased: Bool) {
        guard !cases.isEmpty else {
            fatalError("A 'select' without branches would wait for ever. Pass at least one.")
        }
        self.cases.reserveCapacity(cases.count)
        for branch in cases {
            if branch.isDefault { self.fallback = self.fallback ?? branch } else { self.cases.append(branch) }
        }
        if !biased {
            var generator = Mixer(state: selectionCount.wrappingAdd(1, ordering: .relaxed).newValue)
            self.cases.shuffle(using: &generator)
        }
    }

    /// The branch that happens without a wait, if one does.
    private func immediate() -> AnySelectCase? { self.cases.first { $0.happensNow() } ?? self.fallback }

    /// What has become of the party.
    private enum Entry {
        case happened(AnySelectCase)
        case enlisted
        case cancelled
    }

    /// Makes a branch happen, or enlists the party for all of them.
    private func enter(_ waiters: SelectWaiters, _ parker: ParkerReference) -> Entry {
        for branch in self.cases { branch.prepare() }
        var places: [any SelectPlace] = []
        for place in self.cases.compactMap(\.place).sorted(by: { ObjectIdentifier($0) < ObjectIdentifier($1) })
        where places.last !== place {
            places.append(place)
        }
        var duties = SelectDuties()
        var entry = Entry.cancelled
        Self.lock(places[...]) {
            if let happened = self.cases.first(where: { $0.happensLocked(&duties) }) {
                entry = .happened(happened)
            } else if parker.begin() {
                for (index, branch) in self.cases.enumerated() { branch.enlist(waiters[index]) }
                entry = .enlisted
            }
        }
        duties.perform()
        return entry
    }

    private static func lock(_ places: ArraySlice<any SelectPlace>, _ body: () -> Void) {
        guard let place = places.first else { return body() }
        place.whileLocked { self.lock(places.dropFirst(), body) }
    }

    /// The wait is over.
    ///
    /// - Returns: What has happened; nothing if the party was cancelled.
    private func leave() -> AnySelectCase? {
        var happened: AnySelectCase?
        for branch in self.cases where branch.withdraw() { happened = branch }
        return happened
    }

    private func makeWaiters(_ parker: ParkerReference) -> SelectWaiters {
        unsafe SelectWaiters(parker, slots: self.cases.map { unsafe $0.makeSlot() })
    }

    /// Frees what the selection has used.
    private func finish(_ waiters: SelectWaiters) {
        for (index, branch) in self.cases.enumerated() {
            branch.finish()
            if let slot = unsafe waiters.slots[index] { unsafe branch.freeSlot(slot) }
        }
        waiters.free()
    }
}

// MARK: - Running it

extension Selection {
    /// Makes a branch happen, in async code.
    ///
    /// - Returns: The branch.
    @usableFromInline
    nonisolated(nonsending) static func run(_ cases: [AnySelectCase], biased: Bool) async throws -> AnySelectCase {
        let selection = Selection(cases, biased: biased)
        if let happened = selection.immediate() { return happened }
        try Task.checkCancellation()
        return try await selection.wait()
    }

    /// Makes a branch happen, in a coroutine.
    ///
    /// - Returns: The branch.
    @usableFromInline
    static func run(_ cases: [AnySelectCase], biased: Bool, in coroutine: RunningCoroutine) throws -> AnySelectCase {
        let selection = Selection(cases, biased: biased)
        if let happened = selection.immediate() { return happened }
        if let parker = coroutine.parker { return try selection.wait(in: coroutine, as: parker) }
        var happened: AnySelectCase?
        try coroutine.perform { happened = try await selection.wait() }
        guard let happened else { preconditionFailure("BUG: a selection ended without a branch") }
        return happened
    }

    private nonisolated(nonsending) func wait() async throws -> AnySelectCase {
        let parker = TaskParker()
        let waiters = self.makeWaiters(ParkerReference(parker))
        defer { self.finish(waiters) }
        switch self.enter(waiters, ParkerReference(parker)) {
        case .happened(let happened): return happened
        case .cancelled: throw CancellationError()
        case .enlisted: break
        }
        await parker.suspend()
        guard let happened = self.leave() else { throw CancellationError() }
        return happened
    }

    private func wait(in coroutine: RunningCoroutine, as parker: ParkerReference) throws -> AnySelectCase {
        let waiters = self.makeWaiters(parker)
        defer { self.finish(waiters) }
        switch self.enter(waiters, parker) {
        case .happened(let happened): return happened
        case .cancelled: throw CancellationError()
        case .enlisted: break
        }
        coroutine.park()
        let happened = self.leave()
        if coroutine.isUnwinding {
            happened?.dispose()
            throw CancellationError()
        }
        guard let happened else { throw CancellationError() }
        return happened
    }
}

// Numbers the selections, so that each is mixed differently.
private let selectionCount = Atomic<UInt64>(0)

/// Numbers that look random, from numbers in a row.
///
/// SplitMix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
private struct Mixer: RandomNumberGenerator {
    private var state: UInt64

    init(state: UInt64) { self.state = state &* 0xBF58_476D_1CE4_E5B9 }

    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = self.state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// The waiters of a selection, one for each branch, in memory of their own.
///
/// Safe: used by the selection that made them, which frees them when it is enlisted nowhere.
@safe
struct SelectWaiters {
    private let first: UnsafeMutablePointer<Waiter>
    let slots: [UnsafeMutableRawPointer?]

    init(_ parker: ParkerReference, slots: [UnsafeMutableRawPointer?]) {
        unsafe self.slots = slots
        unsafe self.first = .allocate(capacity: slots.count)
        for index in unsafe slots.indices {
            unsafe (self.first + index).initialize(to: Waiter(parker, slot: slots[index]))
        }
    }

    subscript(index: Int) -> WaiterReference { unsafe WaiterReference(self.first + index) }

    func free() { unsafe self.first.deallocate() }
}
