// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeTesting
import Coroutines
import Synchronization
import Testing

/// Code that waits in the middle of an access of what others can reach is told so.
@Suite("Accesses across a wait", .timeLimit(.minutes(10)))
struct AccessCheckTests {
    let place = MisusePlace()

    init() { BridgeDiagnostics.checksAccesses = true }

    /// Expects one report of this test's place.
    private func expectReport(that word: String = "modifies", sourceLocation: SourceLocation = #_sourceLocation) {
        let reports = self.place.reports
        #expect(reports.count == 1, sourceLocation: sourceLocation)
        guard let report = reports.first else { return }
        #expect(report.kind == .accessAcrossWait, sourceLocation: sourceLocation)
        // Where the access is: in the program of the tests.
        #expect(report.advice.contains("+0x"), sourceLocation: sourceLocation)
        #expect(report.advice.contains(") \(word) memory") || report.advice.contains(", \(word) memory"))
    }

    // MARK: Reported

    @Test func `the check can be had`() { #expect(BridgeDiagnostics.checksAccesses) }

    @Test func `of an actor's state`() async throws {
        let bank = Bank()
        for _ in 0..<3 { try await bank.inPlace(self.place) }
        self.expectReport()
    }

    @Test func `of a subscript in place`() async throws {
        let bank = Bank()
        for _ in 0..<3 { try await bank.ofASubscript(self.place) }
        self.expectReport()
    }

    @Test func `of a sort in place`() async throws {
        try await Bank().sorting(self.place)
        self.expectReport()
    }

    @Test func `of a class property`() async throws {
        let book = Book()
        try await withCoroutine { try book.ledger.add(at: self.place) }
        self.expectReport()
    }

    @Test func `of a global variable`() async throws {
        try await withCoroutine { try globalLedger.add(at: self.place) }
        self.expectReport()
    }

    @Test @MainActor func `of a global variable of the main actor`() async throws {
        try await withCoroutine { try mainLedger.add(at: self.place) }
        self.expectReport()
    }

    @inline(never)
    static func pass(_ ledger: inout Ledger, depth: Int, _ place: MisusePlace) throws {
        if depth == 0 { return try ledger.add(at: place) }
        try self.pass(&ledger, depth: depth - 1, place)
    }

    @Test func `of a chain of inout parameters`() async throws {
        let book = Book()
        try await withCoroutine { try Self.pass(&book.ledger, depth: 5, self.place) }
        self.expectReport()
    }

    /// What escapes may be called by anybody.
    @Test func `of a variable that an escaping closure captures`() async throws {
        try await withCoroutine {
            var ledger = Ledger()
            let closures = [{ ledger.total += 1 }]
            try Self.pass(&ledger, depth: 1, self.place)
            for closure in closures { closure() }
        }
        self.expectReport()
    }

    @Test func `of a read of what cannot be copied`() async throws {
        let book = Book()
        _ = try await withCoroutine { try book.token.read(at: self.place) }
        self.expectReport(that: "reads")
    }

    @Test func `on a scheduler`() async throws {
        let place = self.place
        let scheduler = ManualScheduler()
        let future = scheduler.coroutineFuture { [place] in
            let book = Book.known()
            try Self.pass(&book.ledger, depth: 1, place)
            return 1
        }
        scheduler.run()
        try await scheduler.arrivals(atLeast: 2)
        scheduler.run()
        #expect(try await future.value == 1)
        self.expectReport()
    }

    @Test func `after a change of threads`() async throws {
        let place = self.place
        let threads = ThreadPair()
        let task = Task(executorPreference: threads) {
            let book = Book()
            try await withCoroutine {
                for _ in 0..<100 {
                    try Coroutine.await { await threads.hop() }
                    try Self.pass(&book.ledger, depth: 1, place)
                }
            }
        }
        try await task.value
        self.expectReport()
    }

    // MARK: Generators

    @inline(never)
    static func during(_ ledger: inout Ledger, _ work: () throws -> Void) rethrows {
        ledger.total += 1
        try work()
        ledger.total += 1
    }

    private func generator(_ body: @escaping (Generator<Int>.Yielder) throws -> Void) -> Generator<Int> {
        Generator(fileID: self.place.fileID, line: self.place.line, body)
    }

    @Test func `a yield`() {
        let book = Book()
        let generator = self.generator { yield in
            for number in 0..<10 { try Self.during(&book.ledger) { try yield(number) } }
        }
        #expect(Array(generator) == Array(0..<10))
        self.expectReport()
    }

    /// The loop's own accesses stay where they are while the body runs, and Swift sees them.
    @Test func `a yield into a loop that accesses`() {
        let book = Book()
        var iterator = self.generator { yield in for number in 0..<10 { try yield(number) } }.makeIterator()
        var sum = 0
        for _ in 0..<10 { Self.during(&book.ledger) { sum += iterator.next() ?? 0 } }
        #expect(sum == 45)
        #expect(self.place.reports.isEmpty)
    }

    @Test func `a yield to a task`() async throws {
        let place = self.place
        let generator = AsyncGenerator(fileID: place.fileID, line: place.line) { yield in
            let book = Book.known()
            for number in 0..<10 { try Self.during(&book.ledger) { try yield(number) } }
        }
        var sum = 0
        for try await number in generator { sum += number }
        #expect(sum == 45)
        self.expectReport()
    }

    /// A wait in the body leaves the code around the loop as well.
    @Test(arguments: [true, false])
    func `a wait in a body`(accessInTheBody: Bool) async throws {
        let book = Book()
        try await withCoroutine {
            var iterator = Generator { yield in
                if accessInTheBody {
                    try Self.pass(&book.ledger, depth: 1, self.place)
                } else {
                    _ = try Ledger().read(at: self.place)
                }
                try yield(1)
            }.makeIterator()
            if accessInTheBody {
                _ = iterator.next()
            } else {
                Self.during(&book.ledger) { _ = iterator.next() }
            }
        }
        self.expectReport()
    }

    // MARK: Not reported

    @Test func `a local variable`() async throws {
        let sum = try await withCoroutine {
            var ledger = Ledger()
            try ledger.add(at: self.place)
            try Self.pass(&ledger, depth: 5, self.place)
            try ledger.lines.sort { first, second in try Ledger().read(at: self.place) == 0 && first > second }
            return ledger.total
        }
        #expect(sum == 2)
        #expect(self.place.reports.isEmpty)
    }

    @Test func `an inout of the caller`() async throws {
        func add(_ ledger: inout Ledger) async throws { try await withCoroutine { try ledger.add(at: self.place) } }
        var ledger = Ledger()
        try await add(&ledger)
        #expect(ledger.total == 1)
        #expect(self.place.reports.isEmpty)
    }

    @Test func `a copy that is stored back`() async throws {
        try await Bank().copying(self.place)
        #expect(self.place.reports.isEmpty)
    }

    @Test func `reads of copies`() async throws {
        let book = Book()
        try await Bank().reading(self.place)
        try await withCoroutine {
            _ = try book.ledger.read(at: self.place)
            _ = try book.reader.read(at: self.place)
            _ = try globalReader.read(at: self.place)
        }
        #expect(self.place.reports.isEmpty)
    }

    @Test func `accesses that have ended`() async throws {
        try await Bank().accessesThatHaveEnded(self.place)
        #expect(self.place.reports.isEmpty)
    }

    /// In a task a coroutine's accesses are the task's: those of async code around it are not this wait's.
    @Test func `an access around the coroutine`() async throws {
        func add(_ ledger: inout Ledger) async throws {
            _ = try await withCoroutine { try Ledger().read(at: self.place) }
            ledger.total += 1
        }
        let book = Book()
        try await add(&book.ledger)
        #expect(self.place.reports.isEmpty)
    }

    // MARK: The report

    /// The same wait in two accesses is two mistakes, and the same access is one however often it is made.
    @Test func `each place of an access once`() async throws {
        let (book, other) = (Book(), Book())
        try await withCoroutine {
            for _ in 0..<10 {
                try Self.pass(&book.ledger, depth: 0, self.place)
                try Self.pass(&other.ledger, depth: 1, self.place)
            }
        }
        #expect(self.place.reports.count == 2)
    }

    @Test func `several accesses of one wait`() async throws {
        let books = (Book(), Book(), Book())
        try await withCoroutine {
            try Self.during(&books.0.ledger) {
                try Self.during(&books.1.ledger) { try Self.pass(&books.2.ledger, depth: 1, self.place) }
            }
        }
        #expect(self.place.reports.count == 3)
    }

    /// On the smallest stack there is no room for names, and it does not overflow.
    @Test func `on a small stack`() async throws {
        let book = Book()
        try await withCoroutine(stackSize: StackSize(kibibytes: 32)) {
            try Self.pass(&book.ledger, depth: 1, self.place)
        }
        #expect(self.place.reports.count <= 1)
    }
}

nonisolated(unsafe) let globalReader: any Reader = Ledger()
