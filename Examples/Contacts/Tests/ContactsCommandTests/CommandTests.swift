// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Foundation
import Testing

@Suite("The command", .timeLimit(.minutes(10)))
struct CommandTests {
    private static func card(_ name: String, _ more: String...) -> String {
        (["BEGIN:VCARD", "VERSION:4.0", "FN:\(name)"] + more + ["END:VCARD", ""]).joined(separator: "\r\n")
    }

    @Test func `imports lists and exports`() async throws {
        let place = try Workplace()
        let file = try place.write(
            Self.card("Zoë", "UID:z", "X-A;B=\"c;d\":e") + Self.card("Ada", "EMAIL:a@b.c"),
            to: "f.vcf"
        )
        let first = try await place.run("import", file)
        #expect(first.status == 0 && first.errors == "")
        #expect(first.output == "\(file): 2 added, 0 updated, 0 unchanged\n")
        let second = try await place.run("import", file)
        #expect(second.output == "\(file): 0 added, 0 updated, 2 unchanged\n")
        let list = try await place.run("list")
        #expect(list.output == "Ada  a@b.c\nZoë\n")
        let found = try await place.run("list", "--search", "ZO", "--json")
        #expect(found.output == #"[{"emails":[],"name":"Zoë","phones":[],"uid":"z"}]"# + "\n")
        let export = try await place.run("export")
        #expect(export.output == Self.card("Ada", "EMAIL:a@b.c") + Self.card("Zoë", "UID:z", "X-A;B=\"c;d\":e"))
        let target = place.path("out.vcf")
        let exportToFile = try await place.run("export", target)
        #expect(exportToFile.status == 0 && exportToFile.output == "")
        #expect(try String(contentsOfFile: target, encoding: .utf8) == export.output)
    }

    @Test(arguments: 1...7) func `every step does the same`(_ step: Int) async throws {
        let place = try Workplace()
        let file = try place.write(Self.card("A") + Self.card("B"), to: "f.vcf")
        let imported = try await place.run("import", "--step", "\(step)", file)
        #expect(imported.output == "\(file): 2 added, 0 updated, 0 unchanged\n")
        #expect(try await place.run("list", "--step", "\(step)", "--search", "b").output == "B\n")
        #expect(try await place.run("export", "--step", "\(step)").output == Self.card("A") + Self.card("B"))
    }

    @Test func `cards of the old versions`() async throws {
        let place = try Workplace()
        let old = "BEGIN:VCARD\r\nVERSION:2.1\r\nN:Lovelace;Ada\r\nTEL;HOME:+44 1\r\nEND:VCARD\r\n"
        let file = try place.write(old, to: "f.vcf")
        #expect(try await place.run("import", file).output == "\(file): 1 added, 0 updated, 0 unchanged\n")
        #expect(try await place.run("list").output == "Ada Lovelace  +44 1\n")
        let export = try await place.run("export").output
        #expect(export == Self.card("Ada Lovelace", "N:Lovelace;Ada", "TEL;TYPE=HOME:+44 1"))
    }

    @Test func `an address book that may only be read`() async throws {
        let place = try Workplace()
        try FileManager.default.createDirectory(atPath: place.path("books"), withIntermediateDirectories: false)
        let (book, file) = (place.path("books/db"), try place.write(Self.card("A"), to: "f.vcf"))
        #expect(try await place.run(["import", "--database", book, file]).status == 0)
        try place.allow(0o755, "")
        try place.allow(0o555, "books")
        try place.allow(0o444, "books/db")
        let list = try await place.runAsOther("list", "--database", book)
        #expect(list.output == "A\n" && list.errors == "" && list.status == 0)
        #expect(try await place.runAsOther("export", "--database", book).output == Self.card("A"))
        let change = try await place.runAsOther("import", "--database", book, file)
        #expect(change.status == 1 && change.output == "" && change.errors.contains(book), "\(change.errors)")
    }

    @Test func `a folder that may not be entered`() async throws {
        let place = try Workplace()
        try FileManager.default.createDirectory(atPath: place.path("books"), withIntermediateDirectories: false)
        let (book, file) = (place.path("books/db"), try place.write(Self.card("A"), to: "f.vcf"))
        #expect(try await place.run(["import", "--database", book, file]).status == 0)
        try place.allow(0o755, "")
        try place.allow(0, "books")
        // The folder is removed at the end.
        defer { try? place.allow(0o700, "books") }
        for command in ["list", "export"] {
            let outcome = try await place.runAsOther(command, "--database", book)
            #expect(outcome.status == 1 && outcome.output == "")
            #expect(outcome.errors == "contacts: \(book): Permission denied.\n")
        }
        let inFile = try await place.run(["list", "--database", "\(file)/db"])
        #expect(inFile.status == 1 && inFile.errors == "contacts: \(file)/db: Not a directory.\n")
    }

    @Test func `the demo ends by itself`() async throws {
        let outcome = try await Workplace().run(["demo"])
        #expect(outcome.status == 0 && outcome.errors == "")
        for step in 1...7 { #expect(outcome.output.contains("Step \(step): ")) }
        #expect(outcome.output.hasSuffix("All steps did the same.\n"))
    }

    @Test func `standard input`() async throws {
        let place = try Workplace()
        let file = try place.write(Self.card("A"), to: "f.vcf")
        let outcome = try await place.run(["import", "--database", place.path("db"), "-"]) { process in
            process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
        }
        #expect(outcome.output == "standard input: 1 added, 0 updated, 0 unchanged\n")
    }

    @Test func `without a database it uses the usual folder`() async throws {
        let place = try Workplace()
        let none = try await place.run(["list"])
        #expect(none.status == 0 && none.output == "")
        #expect(none.errors == "contacts: There are no contacts yet. Import a file: contacts import FILE\n")
        #expect(!FileManager.default.fileExists(atPath: place.path("data")))
        let export = try await place.run(["export"])
        #expect(export.status == 1 && export.output == "")
        let file = try place.write(Self.card("A"), to: "f.vcf")
        #expect(try await place.run(["import", file]).status == 0)
        #expect(FileManager.default.fileExists(atPath: place.path("data/contacts/contacts.sqlite")))
        let attributes = try FileManager.default.attributesOfItem(atPath: place.path("data/contacts"))
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        #expect(try await place.run(["list"]).output == "A\n")
    }

    @Test func `a mistake spoils its file only`() async throws {
        let place = try Workplace()
        let good = try place.write(Self.card("Good"), to: "good.vcf")
        let bad = try place.write(Self.card("First") + Self.card("Second", "TEL"), to: "bad.vcf")
        let none = place.path("none.vcf")
        let outcome = try await place.run("import", bad, none, place.folder.path(), good)
        #expect(outcome.status == 1)
        #expect(outcome.output == "\(good): 1 added, 0 updated, 0 unchanged\n")
        let errors = outcome.errors.split(separator: "\n")
        #expect(errors.count == 3)
        #expect(errors.first == "contacts: \(bad): line 8: A ':' is missing behind 'TEL'.")
        #expect(errors.dropFirst().first == "contacts: \(none): No such file or directory.")
        #expect(errors.last?.hasSuffix("Is a directory.") == true)
        #expect(try await place.run("list").output == "Good\n")
    }

    @Test func `two cards with one UID`() async throws {
        let place = try Workplace()
        let file = try place.write(Self.card("A", "UID:u") + Self.card("B", "UID:u"), to: "f.vcf")
        let outcome = try await place.run("import", file)
        #expect(outcome.status == 1)
        let message = "line 6: Another card has the UID 'u' too, in line 1. Remove one of them."
        #expect(outcome.errors == "contacts: \(file): \(message)\n")
    }

    @Test func `databases that are none`() async throws {
        let place = try Workplace()
        let text = try place.write(String(repeating: "No database. ", count: 200), to: "text")
        let noDatabase = try await place.run(["list", "--database", text])
        #expect(noDatabase.status == 1)
        #expect(noDatabase.errors == "contacts: \(text): It is not an address book. Name another file.\n")
        #expect(try String(contentsOfFile: text, encoding: .utf8).hasPrefix("No database."))
        let noFolder = try await place.run(["list", "--database", place.folder.path()])
        #expect(noFolder.status == 1)
        #expect(noFolder.errors.contains("cannot be opened"))
    }

    @Test func `the terminal is safe`() async throws {
        let place = try Workplace()
        let file = try place.write(Self.card("A\u{9B}31m\u{202E}B", "EMAIL:\\n1"), to: "f.vcf")
        _ = try await place.run("import", file)
        #expect(try await place.run("list").output == "A\\u{9b}31m\\u{202e}B  \\u{a}1\n")
        let json = try await place.run("list", "--json").output
        #expect(json.contains(#""name":"A\u009b31m\u202eB""#))
        struct Entry: Decodable { var name: String }
        #expect(try JSONDecoder().decode([Entry].self, from: Data(json.utf8)).map(\.name) == ["A\u{9B}31m\u{202E}B"])
        // A name that steers the terminal is in the message too.
        let bad = try place.write("\u{9B}", to: "b\u{1B}[31m.vcf")
        let outcome = try await place.run("import", bad)
        #expect(outcome.status == 1 && outcome.errors.contains("b\\u{1b}[31m.vcf"))
    }

    @Test(arguments: [
        ["import"], ["import", "-", "-"], ["list", "--search", ""], ["list", "--step", "8"],
        ["list", "--database", ""],
        ["dance"],
    ])
    func `wrong words`(_ arguments: [String]) async throws {
        let outcome = try await Workplace().run(arguments)
        #expect(outcome.status == 64 && !outcome.errors.isEmpty && outcome.output == "")
    }

    @Test(arguments: [
        ["--help"], ["import", "--help"], ["list", "--help"], ["export", "--help"], ["demo", "--help"],
    ])
    func help(_ arguments: [String]) async throws {
        let outcome = try await Workplace().run(arguments)
        #expect(outcome.status == 0 && outcome.output.contains("USAGE: contacts"))
    }

    @Test(arguments: [["list"], ["list", "--json"], ["export"]])
    func `a reader that has gone`(_ arguments: [String]) async throws {
        let place = try Workplace()
        let file = try place.write((0..<2_000).map { Self.card("Person \($0)") }.joined(), to: "f.vcf")
        #expect(try await place.run("import", file).status == 0)
        let outcome = try await place.run(arguments + ["--database", place.path("db")]) { process in
            let pipe = Pipe()
            try pipe.fileHandleForReading.close()
            process.standardOutput = pipe
        }
        #expect(outcome.status == 0 && outcome.errors == "")
    }

    @Test func `an import whose reader has gone`() async throws {
        let place = try Workplace()
        let files = try ["a", "b"].map { try place.write(Self.card($0), to: $0) }
        let outcome = try await place.run(["import", "--database", place.path("db")] + files) { process in
            let pipe = Pipe()
            try pipe.fileHandleForReading.close()
            process.standardOutput = pipe
        }
        #expect(outcome.status == 0 && outcome.errors == "")
        #expect(try await place.run("list").output == "a\nb\n")
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"))) func `a full disk`() async throws {
        let place = try Workplace()
        _ = try await place.run("import", place.write(Self.card("A"), to: "f.vcf"))
        let outcome = try await place.run(["export", "--database", place.path("db")]) { process in
            process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
        }
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasPrefix("contacts: The output cannot be written: No space left on device."))
        let noFolder = try await place.run("export", place.path("none/out.vcf"))
        #expect(noFolder.status == 1 && noFolder.errors.hasPrefix("contacts: \(place.path("none/out.vcf")): "))
    }

    @Test func `export through a link`() async throws {
        let place = try Workplace()
        _ = try await place.run("import", place.write(Self.card("A"), to: "f.vcf"))
        let target = try place.write("old", to: "target.vcf")
        try FileManager.default.createSymbolicLink(atPath: place.path("link.vcf"), withDestinationPath: target)
        #expect(try await place.run("export", place.path("link.vcf")).status == 0)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == Self.card("A"))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: place.path("link.vcf")) == target)
    }

    /// It waits for standard input, which never ends.
    @Test func `export keeps permissions`() async throws {
        let place = try Workplace()
        _ = try await place.run("import", place.write(Self.card("A"), to: "f.vcf"))
        let file = try place.write("old", to: "out.vcf")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
        #expect(try await place.run("export", file).status == 0)
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o640)
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("FN:A"))
        #expect(try FileManager.default.attributesOfItem(atPath: place.path("db"))[.posixPermissions] as? Int == 0o600)
        let files = try FileManager.default.contentsOfDirectory(atPath: place.path(""))
        #expect(!files.contains { $0.hasPrefix(".out") })
    }

    @Test func `export to a folder`() async throws {
        let place = try Workplace()
        _ = try await place.run("import", place.write(Self.card("A"), to: "f.vcf"))
        let outcome = try await place.run("export", place.path(""))
        #expect(outcome.status == 1)
        #expect(outcome.errors.hasSuffix(": Is a directory.\n"))
        #expect(try await place.run("export", "").status == 64)
    }

    @Test func `export to a link without a file`() async throws {
        let place = try Workplace()
        _ = try await place.run("import", place.write(Self.card("A"), to: "f.vcf"))
        try FileManager.default.createSymbolicLink(atPath: place.path("link"), withDestinationPath: place.path("new"))
        #expect(try await place.run("export", place.path("link")).status == 0)
        #expect(try String(contentsOfFile: place.path("new"), encoding: .utf8).contains("FN:A"))
    }

    @Test func `export to the output keeps what is there`() async throws {
        let place = try Workplace()
        _ = try await place.run("import", place.write(Self.card("A"), to: "f.vcf"))
        let file = try place.write("before\n", to: "all")
        let outcome = try await place.run(["export", "--database", place.path("db"), "/dev/stdout"]) { process in
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
            try handle.seekToEnd()
            process.standardOutput = handle
        }
        #expect(outcome.status == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("before\nBEGIN:VCARD"))
    }

    @Test func `the home that is said is used`() async throws {
        let place = try Workplace()
        let outcome = try await place.run(["import", place.write(Self.card("A"), to: "f.vcf")]) { process in
            process.environment?["XDG_DATA_HOME"] = nil
            process.environment?["HOME"] = place.path("home")
        }
        #expect(outcome.status == 0)
        #expect(FileManager.default.fileExists(atPath: place.path("home/.local/share/contacts/contacts.sqlite")))
    }

    @Test func `a name that looks like an address`() async throws {
        let place = try Workplace()
        let card = try place.write(Self.card("A"), to: "f.vcf")
        for arguments in [["import", card], ["list"]] {
            let outcome = try await place.run(arguments + ["--database", "file:x.sqlite"]) { process in
                process.currentDirectoryURL = place.folder
            }
            #expect(outcome.status == 0)
            #expect(outcome.output.contains("A") || arguments[0] == "import")
        }
    }

    @Test(arguments: 1...7) func `ctrl C`(_ step: Int) async throws {
        let place = try Workplace()
        let file = try place.write(Self.card("A"), to: "f.vcf")
        let (input, lines) = (Pipe(), Pipe())
        let arguments = ["import", "--step", "\(step)", "--database", place.path("db"), file, "-"]
        let outcome = try await place.run(arguments) { process in
            process.standardInput = input
            process.standardOutput = lines
            lines.fileHandleForReading.readabilityHandler = { handle in
                // The first file is done. Nothing is the end of the pipe.
                if handle.availableData.isEmpty { handle.readabilityHandler = nil } else { process.interrupt() }
            }
        }
        #expect(outcome.status == 130 && outcome.errors == "")
        #expect(try await place.run("list").output == "A\n")
        try input.fileHandleForWriting.close()
    }
}
