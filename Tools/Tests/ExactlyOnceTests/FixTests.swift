// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ExactlyOnce
import Testing

/// What fixes make of a source, and that nothing is left to find then.
@Suite(.timeLimit(.minutes(10))) struct `A fix` {
    private func fixed(_ source: String) -> (text: String, left: [Finding]) {
        let file = SourceFile(path: "a.swift", source: source)
        let fixes = Analysis().findings(in: file).compactMap(\.fix).filter(\.isApplied)
        let text = String(decoding: Fix.apply(fixes, to: Array(source.utf8)).bytes, as: UTF8.self)
        return (text, Analysis().findings(in: SourceFile(path: "a.swift", source: text)))
    }

    @Test func `adds a return on a line of its own`() {
        let (text, left) = fixed(
            """
            func load(_ flag: Bool, completion: () -> Void) {
                if flag {
                    completion()
                }
                completion()
            }
            """
        )
        #expect(text.contains("        completion()\n        return\n    }"))
        #expect(left.isEmpty)
    }

    @Test func `adds a return to a block of one line`() {
        let (text, left) = fixed(
            """
            func load(_ flag: Bool, completion: () -> Void) {
                if flag { completion() }
                completion()
            }
            """
        )
        #expect(text.contains("if flag { completion(); return }"))
        #expect(left.isEmpty)
    }

    @Test func `adds a return after a continuation's delivery`() {
        let (text, left) = fixed(
            """
            func load(_ flag: Bool) async -> Int {
                await withCheckedContinuation { continuation in
                    if flag {
                        continuation.resume(returning: 1)
                    }
                    continuation.resume(returning: 2)
                }
            }
            """
        )
        #expect(text.contains("            continuation.resume(returning: 1)\n            return\n        }"))
        #expect(left.isEmpty)
    }

    @Test func `adds no return where a value must be returned`() {
        let source = """
            func load(_ flag: Bool, completion: () -> Void) -> Int {
                if flag { completion() }
                completion()
                return 1
            }
            """
        #expect(fixed(source).text == source)
    }

    @Test func `adds no return in another closure than the second delivery's`() {
        let source = """
            func load(_ flag: Bool, completion: () -> Void) {
                lock.withLock { if flag { completion() } }
                completion()
            }
            """
        #expect(fixed(source).text == source)
    }

    @Test func `adds the else that is missing`() {
        let (text, left) = fixed(
            """
            func load(_ flag: Bool, completion: (() -> Void)?) {
                if flag {
                    completion?()
                }
            }
            """
        )
        #expect(text.contains("} else { completion?() }"))
        #expect(left.isEmpty)
    }

    @Test func `adds the call before a return`() {
        let (text, left) = fixed(
            """
            func load(_ flag: Bool, completion: () -> Void) {
                guard flag else { return }
                completion()
            }
            """
        )
        #expect(text.contains("guard flag else { completion(); return }"))
        #expect(left.isEmpty)
    }

    @Test func `does not invent arguments`() {
        let source = """
            func load(_ flag: Bool, completion: (Int) -> Void) {
                guard flag else { return }
                completion(1)
            }
            """
        #expect(fixed(source).text == source)
    }

    @Test func `offers a callback, and does not apply it`() throws {
        let source = """
            func load() async throws -> Int {
                try await withCheckedThrowingContinuation { continuation in
                    client.get { value, error in
                        if let error {
                            continuation.resume(throwing: error)
                        } else if let value {
                            continuation.resume(returning: value)
                        }
                    }
                }
            }
            """
        let finding = try #require(Analysis().findings(in: SourceFile(path: "a.swift", source: source)).first)
        let fix = try #require(finding.fix)
        #expect(!fix.isApplied)
        #expect(fix.edits.map(\.text) == ["withCallback"])
        #expect(fixed(source).text == source)
    }

    @Test func `that overlaps another one is left out`() {
        let first = Fix(message: "", edits: [.init(offset: 0, length: 2, text: "x")])
        let second = Fix(message: "", edits: [.init(offset: 1, length: 2, text: "y")])
        let result = Fix.apply([first, second], to: Array("abc".utf8))
        #expect(result.applied == 1)
        #expect(result.bytes == Array("xc".utf8))
    }
}
