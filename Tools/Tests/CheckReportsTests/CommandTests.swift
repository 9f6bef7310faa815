// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

/// What `asyncbridge` prints and answers, as a user sees it.
@Suite(.timeLimit(.minutes(10))) struct `The command` {
    static let twice = """
        func load(_ id: Int, completion: () -> Void) {
            completion()
            completion()
        }

        """
    static let clean = """
        func load(completion: () -> Void) { completion() }

        """
    static let note = """
        func load(completion: @escaping (Int) -> Void) {
            source?.load { completion($0) }
        }

        """

    // MARK: Exit codes

    @Test func `answers 0 if nothing is found`() throws {
        let command = try Command(["check"], in: Command.folder(["a.swift": Self.clean]))
        #expect(command.status == 0)
        #expect(command.output == "1 file, 2 lines: 0 errors, 0 warnings\n")
    }

    @Test func `answers 1 if something is found`() throws {
        let command = try Command(["check"], in: Command.folder(["a.swift": Self.twice]))
        #expect(command.status == 1)
    }

    @Test(arguments: [("error", "0"), ("warning", "0"), ("note", "1")])
    func `fails at the level that it is told`(level: String, status: String) throws {
        let command = try Command(["check", "--fail-on", level], in: Command.folder(["a.swift": Self.note]))
        #expect(String(command.status) == status)
    }

    @Test(arguments: [
        ["check", "nowhere"], ["check", "--format", "xml"], ["check", "--update-baseline"], ["explain", "nothing"],
        ["check", "--baseline", "nowhere"], ["check", "--jobs", "0"], ["check", "--apis", "nowhere"],
    ])
    func `answers 2 to wrong usage`(arguments: [String]) throws {
        let command = try Command(arguments, in: Command.folder(["a.swift": Self.clean]))
        #expect(command.status == 2)
        #expect(!command.errors.isEmpty)
    }

    @Test func `answers 2 if a file cannot be parsed, and still says what it found`() throws {
        let folder = try Command.folder(["a.swift": Self.twice + "func completion( {\n"])
        let command = try Command(["check"], in: folder)
        #expect(command.status == 2)
        #expect(command.output.contains("[not-checked]"))
        #expect(command.output.contains("[double-delivery]"))
    }

    @Test func `answers 2 if brackets are nested too deep, and checks the other files`() throws {
        let deep = "let a: " + String(repeating: "[", count: 200) + "\n"
        let folder = try Command.folder(["a.swift": Self.clean + deep, "b.swift": Self.twice])
        let command = try Command(["check"], in: folder)
        #expect(command.status == 2)
        #expect(command.output.contains("a.swift:2:24: error: brackets are nested more than 16 deep here"))
        #expect(command.output.contains("b.swift:3:5: error: "))
    }

    // MARK: Inputs

    @Test func `reads standard input`() throws {
        let command = try Command(["check", "-"], in: Command.folder(["a.swift": Self.clean]), input: Self.twice)
        #expect(command.output.hasPrefix("<stdin>:3:5: error: "))
    }

    @Test func `skips tests and what tools make, unless it is told`() throws {
        let folder = try Command.folder([
            "Sources/a.swift": Self.clean, "Tests/b.swift": Self.twice, ".build/c.swift": Self.twice,
            "Pods/d.swift": Self.twice, "Sources/eTests.swift": Self.twice,
        ])
        #expect(try Command(["check"], in: folder).output.hasPrefix("1 file,"))
        #expect(try Command(["check", "--tests"], in: folder).output.contains("3 files,"))
    }

    @Test func `skips a test in another folder, unless it is named`() throws {
        let folder = try Command.folder(["a.swift": Self.clean, "Kit/b.swift": "@testable import A\n" + Self.twice])
        #expect(try Command(["check"], in: folder).status == 0)
        #expect(try Command(["check", "--tests"], in: folder).status == 1)
        #expect(try Command(["check", "Kit/b.swift"], in: folder).status == 1)
    }

    @Test func `reads the targets of a package`() throws {
        let manifest = """
            let package = Package(name: "x", targets: [
                .target(name: "A", dependencies: [.target(name: "C")]), .executableTarget(name: "B", path: "Here"),
                .testTarget(name: "ATests"),
            ])

            """
        let folder = try Command.folder([
            "Package.swift": manifest, "Sources/A/a.swift": Self.clean, "Here/b.swift": Self.clean,
            "Elsewhere/c.swift": Self.twice, "Tests/ATests/d.swift": Self.twice, "Sources/C/c.swift": Self.twice,
        ])
        #expect(try Command(["check", "Package.swift"], in: folder).output.hasPrefix("2 files,"))
        #expect(try Command(["check", "Package.swift", "--tests"], in: folder).output.contains("3 files,"))
    }

    @Test func `knows the functions of the context, and checks only what it is told`() throws {
        let change = """
            func change(completion: @escaping () -> Void) {
                helper(then: completion)
                completion()
            }

            """
        let folder = try Command.folder([
            "change.swift": change, "project/change.swift": change, "project/twice.swift": Self.twice,
            "project/helper.swift": "func helper(then completion: () -> Void) { completion() }\n",
        ])
        #expect(try Command(["check", "change.swift"], in: folder).status == 0)
        let known = try Command(["check", "change.swift", "--context", "project"], in: folder)
        #expect(known.output.hasPrefix("change.swift:3:5: warning: "))
        #expect(known.output.hasSuffix("1 file, 5 lines: 0 errors, 1 warning\n"))
        #expect(try Command(["check", "change.swift", "--context", "nowhere"], in: folder).status == 2)
    }

    // MARK: Comments

    @Test func `a comment with a reason silences its line or the next one`() throws {
        let source = """
            func load(completion: () -> Void) {
                completion()
                completion()  // asyncbridge:ignore[double-delivery] the caller counts
            }
            func save(completion: () -> Void) {
                completion()
                // asyncbridge:ignore[double-delivery] the caller counts
                completion()
            }

            """
        let command = try Command(["check"], in: Command.folder(["a.swift": source]))
        #expect(command.status == 0)
    }

    @Test(arguments: [
        ("// asyncbridge:ignore[double-delivery] nothing here", "stale-ignore"),
        ("// asyncbridge:ignore[double-delivery]", "bad-ignore"), ("// asyncbridge:ignore because", "bad-ignore"),
        ("// asyncbridge:ignore[no-such-rule] because", "bad-ignore"),
    ])
    func `a comment that silences nothing, or is incomplete, is reported`(comment: String, rule: String) throws {
        let command = try Command(["check"], in: Command.folder(["a.swift": comment + "\n" + Self.clean]))
        #expect(command.output.contains("a.swift:1:1: warning: "))
        #expect(command.output.contains("[\(rule)]"))
    }

    @Test func `a comment without a reason silences nothing`() throws {
        let source = """
            func load(completion: () -> Void) {
                completion()
                completion()  // asyncbridge:ignore[double-delivery]
            }

            """
        let command = try Command(["check"], in: Command.folder(["a.swift": source]))
        #expect(command.output.contains("[double-delivery]"))
        #expect(command.output.contains("[bad-ignore]"))
    }

    // MARK: Baseline

    @Test func `a baseline hides what it has, wherever its lines go`() throws {
        let folder = try Command.folder(["a.swift": Self.twice])
        let update = try Command(["check", "--baseline", "b.json", "--update-baseline"], in: folder)
        #expect(update.status == 0)
        try ("// A new line.\n\n" + Self.twice).write(
            to: folder.appending(path: "a.swift"),
            atomically: true,
            encoding: .utf8
        )
        let shifted = try Command(["check", "--baseline", "b.json"], in: folder)
        #expect(shifted.output == "1 file, 7 lines: 0 errors, 0 warnings; 1 in the baseline\n")
        #expect(shifted.status == 0)
    }

    @Test func `a baseline does not hide a second finding of the same kind`() throws {
        let folder = try Command.folder(["a.swift": Self.twice])
        _ = try Command(["check", "--baseline", "b.json", "--update-baseline"], in: folder)
        let more = Self.twice.replacing("    completion()\n}", with: "    completion()\n    completion()\n}")
        let other = Self.twice.replacing("load", with: "save")
        try (more + other).write(to: folder.appending(path: "a.swift"), atomically: true, encoding: .utf8)
        let command = try Command(["check", "--baseline", "b.json"], in: folder)
        #expect(command.status == 1)
        #expect(command.output.contains("in the baseline"))
    }

    @Test func `a stale entry of a baseline is reported`() throws {
        let folder = try Command.folder(["a.swift": Self.twice])
        _ = try Command(["check", "--baseline", "b.json", "--update-baseline"], in: folder)
        try Self.clean.write(to: folder.appending(path: "a.swift"), atomically: true, encoding: .utf8)
        let command = try Command(["check", "--baseline", "b.json"], in: folder)
        #expect(command.output.contains("the baseline has a [double-delivery] in load(_:completion:) that is gone"))
        #expect(command.output.contains("1 stale"))
        #expect(command.status == 0)
    }

    // MARK: Fixes

    @Test func `offers a fix, applies it when it is told, and has nothing left to apply then`() throws {
        let source = """
            // Öffnet alles.\r
            func load(completion: @escaping (Int?, (any Error)?) -> Void) {
                get { value, error in
                    if let error {
                        completion(nil, error)
                    }
                    completion(value, nil)
                }
            }

            """
        let repaired = source.replacing(
            "completion(nil, error)\n",
            with: "completion(nil, error)\n            return\n"
        )
        let folder = try Command.folder(["a.swift": source, "b.swift": Self.clean])
        func text() throws -> String { try String(contentsOf: folder.appending(path: "a.swift"), encoding: .utf8) }
        let offered = try Command(["check"], in: folder)
        #expect(offered.output.contains("fix: add"))
        #expect(offered.status == 1)
        #expect(try text() == source, "nothing is written unless it is told")
        let applied = try Command(["check", "--fix"], in: folder)
        #expect(applied.status == 0)
        #expect(applied.errors.contains("applied 1 fix"))
        #expect(try text() == repaired)
        #expect(try Command(["check", "--fix"], in: folder).errors.contains("applied 0 fixes"))
        #expect(try text() == repaired)
    }

    // MARK: The rest

    @Test func `explains each rule that it lists`() throws {
        let folder = try Command.folder(["a.swift": Self.clean])
        let list = try Command(["explain"], in: folder).output.split(separator: "\n")
        #expect(list.count >= 16)
        for line in list {
            let rule = String(line.prefix { $0 != ":" })
            let page = try Command(["explain", rule], in: folder)
            #expect(page.status == 0)
            for part in ["# \(rule)", "## Wrong", "## Right", "## With AsyncBridge", "## Limits"] {
                #expect(page.output.contains(part))
            }
        }
    }

    @Test func `a table of the user's own wins`() throws {
        let source = """
            func load(completion: @escaping () -> Void) {
                fancy { if isReady { completion() } }
            }

            """
        let folder = try Command.folder(["a.swift": source, "apis.txt": "later fancy # ours\n", "bad.txt": "often x\n"])
        #expect(try Command(["check"], in: folder).status == 0)
        #expect(try Command(["check", "--apis", "apis.txt"], in: folder).output.contains("[missing-delivery]"))
        let bad = try Command(["check", "--apis", "bad.txt"], in: folder)
        #expect(bad.status == 2)
        #expect(bad.errors.contains("line 1"))
    }

    @Test func `the profile for continuations leaves handlers out`() throws {
        let folder = try Command.folder(["a.swift": Self.twice])
        #expect(try Command(["check", "--profile", "continuations"], in: folder).status == 0)
    }

    @Test func `knows a type of another file that stands for a handler`() throws {
        let source = """
            func load(_ flag: Bool, completion: @escaping Handler) {
                guard flag else { return }
                completion(1)
            }

            """
        let folder = try Command.folder(["a.swift": source, "b.swift": "typealias Handler = (Int) -> Void\n"])
        #expect(try Command(["check"], in: folder).output.contains("a.swift:2:23: warning: "))
    }
}
