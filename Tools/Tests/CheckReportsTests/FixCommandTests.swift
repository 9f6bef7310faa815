// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

/// What `--fix` makes of files: only what is certain, and nothing else of them changes.
@Suite(.timeLimit(.minutes(5))) struct `A fix that is written` {
    private let broken = """
        func load(_ flag: Bool, completion: () -> Void) {
            if flag {
                completion()
            }
            completion()
        }

        """
    private var repaired: String {
        broken.replacing("        completion()\n    }", with: "        completion()\n        return\n    }")
    }

    private func fix(_ source: String, with arguments: [String] = []) throws -> (text: String, command: Command) {
        let folder = try Command.folder(["a.swift": source])
        let command = try Command(["check", "--fix"] + arguments, in: folder)
        return (try String(contentsOf: folder.appending(path: "a.swift"), encoding: .utf8), command)
    }

    // MARK: Files stay what they are

    @Test func `is at the right place behind a byte order mark`() throws {
        let folder = try Command.folder(["a.swift": broken])
        let file = folder.appending(path: "a.swift")
        let mark = Data([0xEF, 0xBB, 0xBF])
        try (mark + Data(broken.utf8)).write(to: file)
        #expect(try Command(["check"], in: folder).output.contains("a.swift:5:5: "))
        #expect(try Command(["check", "--fix"], in: folder).status == 0)
        #expect(try Data(contentsOf: file) == mark + Data(repaired.utf8))
    }

    @Test(arguments: ["\r\n", "\r"])
    func `has the line ends of its file`(end: String) throws {
        let folder = try Command.folder(["a.swift": broken.replacing("\n", with: end)])
        #expect(try Command(["check", "--fix"], in: folder).status == 0)
        let bytes = try Data(contentsOf: folder.appending(path: "a.swift"))
        #expect(bytes == Data(repaired.replacing("\n", with: end).utf8))
    }

    @Test func `leaves modes and links as they are`() throws {
        let folder = try Command.folder(["real/a.swift": broken])
        let file = folder.appending(path: "real/a.swift").path(percentEncoded: false)
        let link = folder.appending(path: "b.swift").path(percentEncoded: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: file)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        let before = try FileManager.default.attributesOfItem(atPath: file)
        #expect(try Command(["check", "--fix", "b.swift"], in: folder).errors.contains("applied 1 fix\n"))
        let after = try FileManager.default.attributesOfItem(atPath: file)
        #expect(after[.posixPermissions] as? Int == 0o750)
        #expect(after[.systemFileNumber] as? Int == before[.systemFileNumber] as? Int)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == repaired)
    }

    @Test func `is none in a file that cannot be parsed`() throws {
        let source = broken + "func completion( {\n"
        let (text, command) = try fix(source)
        #expect(text == source)
        #expect(command.status == 2)
    }

    @Test func `is none for a finding that is accepted`() throws {
        let folder = try Command.folder(["a.swift": broken])
        _ = try Command(["check", "--baseline", "b.json", "--update-baseline"], in: folder)
        let command = try Command(["check", "--fix", "--baseline", "b.json"], in: folder)
        #expect(command.errors.contains("applied 0 fixes"))
        #expect(try String(contentsOf: folder.appending(path: "a.swift"), encoding: .utf8) == broken)
    }

    @Test func `leaves nothing for a second run`() throws {
        // With a `return` after the first call, the second condition would need an `else`.
        let source = """
            func load(_ a: Bool, _ b: Bool, completion: @escaping () -> Void) {
                if a { completion() }
                if b { completion() }
            }
            func save(_ a: Bool, _ b: Bool, completion: (() -> Void)?) {
                guard a else { return }
                guard b else { return }
                completion?()
            }

            """
        let folder = try Command.folder(["a.swift": source])
        func text() throws -> String { try String(contentsOf: folder.appending(path: "a.swift"), encoding: .utf8) }
        #expect(try Command(["check", "--fix"], in: folder).errors.contains("applied 1 fix\n"))
        let once = try text()
        #expect(once.contains("guard b else { completion?(); return }"))
        #expect(try Command(["check", "--fix"], in: folder).errors.contains("applied 0 fixes"))
        #expect(try text() == once)
    }

    // MARK: Only what certainly compiles

    static let uncertain = [
        // The name means an unwrapped value there.
        """
        func load(_ flag: Bool, completion: (() -> Void)?) {
            guard let completion else { return }
            guard flag else { return }
            completion()
        }
        """,
        // Another thing has the name there.
        """
        func load(_ flag: Bool, completion: @escaping () -> Void) {
            let local = { (completion: Int) in
                guard flag else { return }
                print(completion)
            }
            guard flag else {
                local(1)
                return
            }
            completion()
        }
        """,
        // A call needs `await`.
        """
        func load(_ flag: Bool, completion: @escaping () async -> Void) async {
            guard flag else { return }
            await completion()
        }
        """,
        // A call needs `try`.
        """
        func load(_ flag: Bool, completion: () throws -> Void) {
            guard flag else { return }
            try? completion()
        }
        """,
        // A call needs the main actor.
        """
        func load(_ flag: Bool, completion: @escaping @MainActor () -> Void) {
            guard flag else { return }
            Task { @MainActor in completion() }
        }
        """,
        // Leaving `defer` is not allowed.
        """
        func load(_ flag: Bool, completion: () -> Void) {
            defer {
                if flag {
                    completion()
                }
                completion()
            }
            work()
        }
        """,
        // The closure answers something.
        """
        func load(_ flags: [Bool], completion: @escaping () -> Void) {
            let text = make {
                if flag {
                    completion()
                }
                completion()
                return "x"
            }
            print(text)
        }
        """,
        // The closure may promise an answer that it never gives.
        """
        func load(_ flag: Bool, completion: @escaping () -> Void) {
            let number = make {
                if flag {
                    completion()
                }
                completion()
                throw Broken()
            }
        }
        """,
        // The `if` is a value.
        """
        func load(_ flag: Bool, completion: @escaping () -> Void) {
            let void: Void = if flag {
                completion()
            } else {
                work()
            }
            completion()
        }
        """,
        // Not all properties have values yet.
        """
        final class Loader {
            let value: Int
            init(_ flag: Bool, completion: () -> Void) {
                if flag {
                    completion()
                }
                completion()
                value = 1
            }
        }
        """,
        // What must be done in any case would be left out.
        """
        func load(_ flag: Bool, completion: () -> Void) {
            lock.lock()
            if flag {
                completion()
            }
            completion()
            lock.unlock()
        }
        """,
    ]

    @Test(arguments: uncertain)
    func `is one that certainly compiles`(source: String) throws {
        let (text, command) = try fix(source + "\n")
        #expect(text == source + "\n")
        #expect(command.errors.contains("applied 0 fixes"))
    }

    // MARK: Only what makes no other mistake

    static let worse = [
        // A loop would call it in each turn.
        """
        func find(_ items: [Int], completion: () -> Void) {
            for item in items {
                if item == 1 {
                    completion()
                    break
                }
            }
        }
        """,
        // The two conditions are never both false.
        """
        func load(_ state: State, completion: @escaping () -> Void) {
            if state.isReady {
                work()
                completion()
                return
            }
            if !state.isBusy {
                completion()
            }
            switch state.kind {
            case .a: completion()
            case .b: break
            }
        }
        """,
        // Without the rest of the code nothing would be delivered on another path.
        """
        func load(_ flag: Bool, _ other: Bool, completion: () -> Void) {
            if flag { completion() }
            if other { completion() }
        }
        """,
    ]

    @Test(arguments: worse)
    func `never makes “twice” of “never”, or the other way round`(source: String) throws {
        func count(_ output: String, _ rule: String) -> Int { output.components(separatedBy: "[\(rule)]").count - 1 }
        let before = try Command(["check"], in: Command.folder(["a.swift": source + "\n"]))
        let (_, command) = try fix(source + "\n")
        for rule in ["double-delivery", "missing-delivery", "deliver-in-loop"] {
            #expect(count(command.output, rule) <= count(before.output, rule))
        }
    }
}
