// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncTwins
import ExactlyOnce
import Testing

/// Twins that do not compile, with a build that only says so.
@Suite(.timeLimit(.minutes(10))) struct `Twins go down until the package builds` {
    static let source = """
        public struct A {
            public func one(completion: @escaping (Node) -> Void) { completion(Node()) }
            public func two(completion: @escaping (Int) -> Void) { completion(2) }
        }

        """

    /// Runs with a build that answers what `errors` says of the file with twins.
    ///
    /// - Returns: The functions, the result, and the file at the end.
    private func verify(
        _ source: String = Self.source,
        existing: String? = nil,
        baseline: String = "",
        _ errors: (_ text: String) -> [String],
        readingLine line: @escaping (BuildDiagnostic.Place) -> String = { _ in "" }
    ) throws -> (functions: [PlannedFunction], result: Verification.Result, text: String) {
        var verification = Self.verification(of: PlannedPackage(source), existing: existing)
        let result = try verification.run { texts in
            let found = texts.map { texts in texts.flatMap { errors($0.text ?? "") } } ?? []
            let output = baseline + found.joined(separator: "\n")
            return Verification.Build(succeeded: !output.contains(" error: "), output: output)
        } readingLine: {
            line($0)
        }
        return (verification.functions, result, verification.texts[0].text ?? "")
    }

    /// What builds a package whose twins are in one file, which may be there already.
    private static func verification(of package: PlannedPackage, existing: String?) -> Verification {
        let file = Verification.File(
            path: "/p/a+Async.swift",
            functions: package.plan.twins(of: "a.swift"),
            writer: package.writer(existing: existing)
        )
        return Verification(package.plan.functions, in: [file])
    }

    /// An error at the line of the file with twins that has some text.
    private static func error(_ message: String, at needle: String, in text: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let index = lines.firstIndex(where: { !$0.hasPrefix("//") && $0.contains(needle) }) else { return [] }
        return ["/p/a+Async.swift:\(index + 1):9: error: \(message)"]
    }

    @Test func `nothing changes if it builds`() throws {
        let (functions, result, _) = try verify { _ in [] }
        #expect(result.succeeded)
        #expect(result.builds == 2)
        #expect(functions.map { $0.rung } == [Rung(), Rung()])
    }

    @Test(arguments: [true, false])
    func `what twins of an earlier run cause is not the package's own`(_ hasOwnError: Bool) throws {
        let package = PlannedPackage(Self.source)
        let first = try #require(package.overlay())
        var verification = Self.verification(of: package, existing: first)
        let result = try verification.run { texts in
            let isTaken = (texts.map { $0[0].text ?? "" } ?? first).contains("func two() async")
            let lines = [
                isTaken ? "/p/b.swift:3:9: error: expression is 'async' but is not marked with 'await'" : nil,
                hasOwnError ? "/p/c.swift:1:1: error: cannot find 'x' in scope" : nil,
            ]
            let output = lines.compactMap(\.self).joined(separator: "\n")
            return Verification.Build(succeeded: output.isEmpty, output: output)
        } readingLine: { place in
            place.path == "/p/b.swift" ? "let x = a.two()" : ""
        }
        #expect(result.succeeded != hasOwnError)
        #expect(result.baseline.map(\.message) == (hasOwnError ? ["cannot find 'x' in scope"] : []))
        #expect(verification.functions.map(\.rung.isRenamed) == [false, true])
        #expect(verification.functions.allSatisfy { $0.rung.errors == nil })
    }

    @Test func `an error at a call of another name does not concern a renamed twin`() throws {
        let source = """
            public struct A {
                public func two() -> Int { 2 }
                public func two(completion: @escaping (Int) -> Void) { completion(2) }
            }
            public struct B { public func two(completion: @escaping (Int) -> Void) { completion(2) } }

            """
        let (functions, result, _) = try verify(source) { text in
            text.contains("func two() async") ? ["/p/b.swift:3:9: error: expression is 'async'"] : []
        } readingLine: { _ in
            "try b.two()"
        }
        #expect(result.succeeded)
        #expect(functions.map(\.marks) == [["proven", "renamed"], ["proven", "renamed"]])
        #expect(functions.allSatisfy { $0.rung.errors == nil })
    }

    @Test func `a value that is not Sendable makes the twin unchecked, and no other`() throws {
        let (functions, result, text) = try verify { text in
            Self.error(
                "type 'Node' does not conform to the 'Sendable' protocol",
                at: "one(completion: callback.v",
                in: text
            )
        }
        #expect(result.succeeded)
        #expect(result.builds == 3)
        #expect(functions.map(\.rung.isUnchecked) == [true, false])
        #expect(text.contains(" proven unchecked\n"))
    }

    @Test func `what cannot be cancelled is left alone, after a build that only warns`() throws {
        let source = """
            public struct A {
                public func one(completion: @escaping (Int) -> Void) -> DataTask { start(completion) }
                public func two(completion: @escaping (Int) -> Void) -> OtherTask { begin(completion) }
            }

            """
        let (functions, result, text) = try verify(source) { text in
            Self.error("'_cancel' is deprecated: cancelling does not stop the work", at: "_cancel($0", in: text)
                .map { $0.replacing("error:", with: "warning:") }
        }
        #expect(result.succeeded)
        #expect(functions.map(\.rung.isUncancelled) == [true, true])
        #expect(result.builds == 4)
        #expect(!text.contains("onCancel"))
        #expect(text.contains(" uncancelled\n"))
        // A second run finds them as they are.
        let package = PlannedPackage(source)
        var again = package.plan.functions
        package.writer(existing: text).adopt(&again, package.plan.twins(of: "a.swift"))
        #expect(again.map(\.rung) == functions.map(\.rung))
    }

    @Test func `what existing code calls unasked gets another name`() throws {
        let (functions, result, _) = try verify { text in
            text.contains("func two()")
                ? ["/p/b.swift:3:5: error: expression is 'async' but is not marked with 'await'"] : []
        } readingLine: { place in
            place.line == 3 ? "    a.two(completion: nil)" : ""
        }
        #expect(result.succeeded)
        #expect(functions.map(\.rung.isRenamed) == [false, true])
    }

    @Test func `a note of an error elsewhere leads to the twin`() throws {
        let (functions, _, _) = try verify { text in
            guard let note = Self.error("", at: "func one()", in: text).first else { return [] }
            return [
                "/p/b.swift:7:1: error: ambiguous use of 'one'",
                note.replacing("error: ", with: "note: found this candidate"),
            ]
        }
        #expect(functions.map(\.rung.isRenamed) == [true, false])
    }

    @Test func `what does not compile at all is commented out, with the compiler's words`() throws {
        let (functions, result, text) = try verify { text in
            Self.error("cannot find type 'Node' in scope", at: "-> Node", in: text)
        }
        #expect(result.succeeded)
        #expect(functions[0].rung.errors == ["cannot find type 'Node' in scope"])
        #expect(
            text.contains(
                " proven commented-out\n// Does not compile: cannot find type 'Node' in scope\n// extension A {"
            )
        )
        #expect(functions[1].rung == Rung())
    }

    @Test func `it goes down step by step`() throws {
        let (functions, result, _) = try verify { text in
            Self.error("sending 'x' risks causing data races", at: "one(completion: callback", in: text)
                + Self.error("sending 'x' risks causing data races", at: "unsafe callback", in: text)
        }
        #expect(result.succeeded)
        #expect(result.builds == 4)
        #expect(functions[0].rung.marks == "unchecked commented-out")
    }

    @Test func `what is commented out stays so, until its function changes`() throws {
        let text = try verify { text in Self.error("no", at: "-> Node", in: text) }.text
        #expect(PlannedPackage(Self.source).overlay(existing: text) == text)
        let changed = Self.source.replacing("func one(", with: "func one(_ id: Int, ")
        let again = try #require(PlannedPackage(changed).overlay(existing: text))
        #expect(!again.contains("commented-out"))
    }

    /// A twin that went down, by the message that takes it there.
    private func textTakenDown(by message: String) throws -> String {
        try verify { text in
            Self.error(message, at: "one(completion: callback", in: text)
                + Self.error(message, at: "func one()", in: message.contains("redecl") ? text : "")
        }.text
    }

    private static let messages = [
        "type 'Node' does not conform to the 'Sendable' protocol", "invalid redeclaration of 'one()'", "no such thing",
    ]

    @Test(arguments: messages)
    func `edits of a twin that went down are lost with a word`(message: String) throws {
        let text = try textTakenDown(by: message)
        let edited = text.replacing("of: Node.self", with: "of: Node.self, timeout: .seconds(1)")
        #expect(edited != text)
        #expect(PlannedPackage(Self.source).overlay(existing: edited) == edited)
        let sources = [
            Self.source.replacing("one(completion", with: "one(_ id: Int, completion"),
            Self.source.replacing(#/ {4}public func one.*\n/#, with: ""),
        ]
        for source in sources {
            let new = PlannedPackage(source).overlay(existing: edited)
            #expect(OverlayFile(edited).editsLost(in: new).map(\.title) == ["A.one(completion:)"])
            let unedited = PlannedPackage(source).overlay(existing: text)
            #expect(OverlayFile(text).editsLost(in: unedited).map(\.title) == [])
        }
    }

    @Test(arguments: messages)
    func `what an earlier version took down may have been edited`(message: String) throws {
        let marker = #/(// asyncbridge: A.one\(completion:\) [0-9a-f]{8}) [0-9a-f]{8} /#
        let text = try textTakenDown(by: message).replacing(marker) { "\($0.1) " }
        #expect(PlannedPackage(Self.source).overlay(existing: text) == text)
        let source = Self.source.replacing("one(completion", with: "one(_ id: Int, completion")
        let new = PlannedPackage(source).overlay(existing: text)
        #expect(OverlayFile(text).editsLost(in: new).map(\.title) == ["A.one(completion:)"])
    }

    @Test func `the package's own errors are told apart`() throws {
        let own = "/p/c.swift:1:1: error: cannot find 'x' in scope\n"
        let (functions, result, _) = try verify(baseline: own) { _ in [] }
        #expect(!result.succeeded)
        #expect(result.baseline.map(\.message) == ["cannot find 'x' in scope"])
        #expect(functions.map { $0.rung } == [Rung(), Rung()])
    }

    @Test func `an error that no twin explains ends it`() {
        #expect(throws: Verification.Failure.unexplained(["/p/c.swift:1: what"])) {
            try verify { text in text.isEmpty ? [] : ["/p/c.swift:1:1: error: what"] }
        }
    }

    @Test func `an error in the imports ends it`() {
        #expect(throws: Verification.Failure.files("no such module 'AsyncBridge'")) {
            try verify { _ in ["/p/a+Async.swift:4:8: error: no such module 'AsyncBridge'"] }
        }
    }

    @Test func `reads what a compiler prints`() {
        let all = BuildDiagnostic.all(
            in: """
                [1/2] Compiling App a.swift
                /p/a.swift:3:5: error: one: two
                1 | let a = 1
                  |     `- error: one: two
                /p/a.swift:1:5: note: here
                /p/a.swift:3:5: error: one: two
                /p/a.swift:1:5: note: here
                /p/b.swift:3:5: warning: odd
                error: fatalError

                """
        )
        #expect(all.map(\.message) == ["one: two", "odd"])
        #expect(all.map(\.severity) == [.error, .warning])
        #expect(all[0].notes == [.init(path: "/p/a.swift", line: 1)])
    }
}

extension Rung {
    fileprivate var marks: String {
        [isUnchecked ? "unchecked" : nil, isRenamed ? "renamed" : nil, errors == nil ? nil : "commented-out"]
            .compactMap(\.self).joined(separator: " ")
    }
}
