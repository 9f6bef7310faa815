// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ExactlyOnce
import Foundation
import Testing

/// Files that no compiler would take, and functions that no person would write.
///
/// A few of each, for each change: `Evaluation/fuzz.py` takes thousands.
@Suite(.timeLimit(.minutes(10))) struct `The analysis` {
    /// Each name that announces a handler has a word that the first look at a text searches for.
    @Test func `parses each file that names a handler`() {
        for name in Names.exact {
            #expect(Analysis.isWorthParsing("func f(\(name): () -> Void) {}", profile: .default), "\(name)")
        }
    }

    private static func check(_ source: String) -> [Finding] {
        let file = SourceFile(path: "a.swift", source: source)
        let findings = Analysis(profile: .strict, knowledge: Knowledge(of: [file], apis: .standard)).findings(in: file)
        return Suppressions(file).apply(to: findings, in: file)
    }

    @Test(arguments: ShapeSuite.files)
    func `survives files that are cut anywhere`(name: String) throws {
        let bytes = try Shape(name).bytes
        for step in 1..<7 {
            let cut = bytes.count * step / 7
            _ = Self.check(String(decoding: bytes.prefix(cut), as: UTF8.self))
            _ = Self.check(String(decoding: bytes.suffix(cut), as: UTF8.self))
        }
    }

    @Test(arguments: ShapeSuite.files)
    func `survives files with wrong characters`(name: String) throws {
        var bytes = try Shape(name).bytes
        var random = SplitMix(state: 42)
        let noise = Array("{}()[]\"\\?!:,.=<>$&|/*#@\n\0\u{ff}".utf8)
        for _ in 0..<6 {
            for _ in 0..<8 { bytes[random.next(below: bytes.count)] = noise[random.next(below: noise.count)] }
            _ = Self.check(String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test func `takes a thousand branches`() {
        let branches = (0..<1000).map { "    if a\($0) { completion(\($0)) }\n" }.joined()
        let findings = Self.check("func f(completion: (Int) -> Void) {\n\(branches)}\n")
        #expect(findings.contains { $0.rule == "double-delivery" })
        #expect(!findings.contains { $0.level == .error })
    }

    @Test func `takes a thousand branches that ask twice`() {
        let branches = (0..<500).map { "    if a\($0) { work() }\n    if a\($0) { work() }\n" }.joined()
        #expect(Self.check("func f(completion: () -> Void) {\n\(branches)    completion()\n}\n").isEmpty)
    }

    @Test(arguments: ["let a: ", "let a = ", "func f(a: "])
    func `refuses brackets that would keep the parser for hours`(start: String) {
        let deep = String(repeating: "[", count: BracketNesting.limit)
        #expect(SourceFile.tooDeepBracket(in: "\(start)\(deep)Int") == nil)
        let place = SourceFile.tooDeepBracket(in: "\n\(start)\(deep)[Int")
        #expect(place?.line == 2)
        #expect(place?.column == start.utf8.count + BracketNesting.limit + 1)
    }

    @Test func `counts no brackets of comments, strings and statements together`() {
        let lines = "// half open [0, 1)\nlet a = \"[\"\nf { [$0\n}\nlet b = [1]\n/* [ */\n"
        #expect(SourceFile.tooDeepBracket(in: String(repeating: lines, count: 40)) == nil)
    }

    /// Twice the work for each level would keep it for years.
    @Test(arguments: ["for item in items {\n", "func f() {\n", "let f = {\n", "queue.async {\n", "repeat {\n"])
    func `takes nesting that nobody writes`(start: String) {
        let open = String(repeating: start, count: 40)
        let close = String(repeating: start.hasPrefix("repeat") ? "} while check()\n" : "}\n", count: 40)
        _ = Self.check("func f(completion: @escaping () -> Void) {\n\(open)completion()\n\(close)}\n")
    }

    @Test func `takes nested closures`() {
        let open = String(repeating: "queue.async {\n", count: 4)
        let close = String(repeating: "}\n", count: 4)
        #expect(Self.check("func f(completion: @escaping () -> Void) {\n\(open)completion()\n\(close)}\n").isEmpty)
    }
}

typealias ShapeSuite = `The shape suite`

/// Numbers that are the same in each run.
private struct SplitMix {
    var state: UInt64

    mutating func next(below end: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(end))
    }
}
