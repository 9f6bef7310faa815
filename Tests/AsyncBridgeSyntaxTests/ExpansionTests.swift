// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeSyntax
import Foundation
import SwiftSyntax
import Testing

/// What the generator writes and says, compared with `Expected`, a file for each file of declarations.
///
/// - `Tests/BridgedFixtures`: the compiler compiles these, and `AsyncBridgeMacrosTests` calls the twins.
/// - `Uncompiled`: what only Apple's systems compile.
/// - `Refused`: what has no twin.
///
/// With `BRIDGE_UPDATE_EXPANSIONS=1` the expectations are written anew: read the difference before you commit it.
@Suite(.timeLimit(.minutes(10)))
struct ExpansionTests {
    private static let folders = [
        "BridgedFixtures", "AsyncBridgeSyntaxTests/Uncompiled", "AsyncBridgeSyntaxTests/Refused",
    ]
    @Test(arguments: Self.folders)
    func theGeneratorWritesAndSaysWhatIsExpected(_ folder: String) throws {
        let isRefused = folder.hasSuffix("Refused")
        let kind = folder.split(separator: "/").last ?? ""
        let allExpected = TestFiles("AsyncBridgeSyntaxTests/Expected/\(kind)")
        for (name, text) in try TestFiles(folder).all {
            // Without selectors there would be no twin.
            let expander = Expander(text, selectingModules: name == "HiddenModules.swift")
            #expect(expander.refusals.allSatisfy { $0.isWarning || isRefused }, "\(name)")
            #expect(expander.expansions.isEmpty || !isRefused, "\(name)")
            let said = expander.description
            guard !said.isEmpty else { continue }
            if ProcessInfo.processInfo.environment["BRIDGE_UPDATE_EXPANSIONS"] == "1" {
                try allExpected.write(said, to: name + ".txt")
            }
            #expect(try allExpected.text(name + ".txt") == said, "\(name)")
        }
    }

    /// `Scripts/check-darwin` compiles it: with Objective-C, on Linux.
    @Test func whatOnlyApplesSystemsCompileIsWrittenOut() throws {
        let expanded = Expander(try TestFiles("AsyncBridgeSyntaxTests/Uncompiled").text("Objective.swift")).expandedFile
        let expected = TestFiles("AsyncBridgeSyntaxTests/Expected/Expanded")
        if ProcessInfo.processInfo.environment["BRIDGE_UPDATE_EXPANSIONS"] == "1" {
            try expected.write(expanded, to: "Objective.swift.txt")
        }
        #expect(try expected.text("Objective.swift.txt") == expanded)
    }

    /// Else the compiler would say of each method that what its body uses is missing.
    @Test func theMethodsOfARefusedDelegateHaveBodiesThatUseNothing() throws {
        let bodies = Expander(try TestFiles("AsyncBridgeSyntaxTests/Refused").text("Delegates.swift")).refusedBodies
        #expect(!bodies.isEmpty)
        #expect(bodies.allSatisfy { $0 == "Swift.fatalError()" })
    }

    /// No cure leads to another refusal.
    @Test func eachCureRemovesItsRefusal() throws {
        var count = 0
        for (name, text) in try Self.folders.flatMap({ try TestFiles($0).all }) {
            let expander = Expander(text)
            for refusal in expander.refusals {
                for cure in refusal.cures {
                    let cured = Expander(expander.text(curedBy: cure))
                    #expect(cured.refusals.count == expander.refusals.count - 1, "\(name): \(cure.label)")
                    count += 1
                }
            }
        }
        #expect(count > 0)
    }

    @Test func eachReasonIsTested() throws {
        let files = try Self.folders.flatMap { try TestFiles($0).all.values }
        let missing = Set(Refusal.Reason.allCases).subtracting(files.flatMap { Expander($0).refusals.map(\.reason) })
        #expect(missing.isEmpty)
    }
}

extension Expander {
    fileprivate func text(curedBy cure: Refusal.Cure) -> String {
        var text = Array(self.file.description.utf8)
        let range = cure.old.position.utf8Offset..<cure.old.endPosition.utf8Offset
        text.replaceSubrange(range, with: Array(cure.new.description.utf8))
        return String(decoding: text, as: UTF8.self)
    }

    /// The expansions, and what was refused: its line, its place, its words, and what each cure writes.
    var description: String {
        let converter = SourceLocationConverter(fileName: "", tree: self.file)
        let refusals = self.refusals.map { refusal in
            let line = refusal.anchor.startLocation(converter: converter).line
            let kind = refusal.isWarning ? "warning" : "error"
            let cures = refusal.cures.map { cure in
                let new = cure.new.trimmedDescription
                return "    \(cure.label)\(new.isEmpty ? "" : ": " + new)\n"
            }
            return "\(line): \(refusal.anchor.trimmedDescription)\n\(kind): \(refusal.message)\n\(cures.joined())"
        }
        return (self.expansions.map { $0 + "\n" } + refusals).joined(separator: "\n")
    }
}
#endif
