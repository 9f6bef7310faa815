// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

/// What the command reads, and what it says if it cannot.
@Suite(.timeLimit(.minutes(5))) struct `What is read` {
    private let twice = `The command`.twice
    private let clean = `The command`.clean

    @Test(arguments: ["with space", "a#b", "50%41", "café", "a?b", "[x]"])
    func `folders and files have any names`(name: String) throws {
        let folder = try Command.folder(["\(name)/\(name).swift": twice, "\(name)/Package.swift": ""])
        let whole = try Command(["check", name], in: folder)
        #expect(whole.output.hasPrefix("\(name)/\(name).swift:3:5: error: "))
        #expect(whole.status == 1)
        #expect(try Command(["check", "\(name)/\(name).swift"], in: folder).status == 1)
        let absolute = folder.appending(path: name).path(percentEncoded: false)
        #expect(try Command(["check", absolute], in: folder).status == 1)
        let baseline = ["check", name, "--baseline", "\(name)/b.json"]
        #expect(try Command(baseline + ["--update-baseline"], in: folder).status == 0)
        #expect(try Command(baseline, in: folder).output.contains("1 in the baseline"))
    }

    @Test func `a link to a folder is one`() throws {
        let folder = try Command.folder(["real/a.swift": twice])
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "a link"),
            withDestinationURL: folder.appending(path: "real")
        )
        #expect(try Command(["check", "a link"], in: folder).output.hasPrefix("a link/a.swift:3:5: error: "))
    }

    @Test func `a folder that cannot be listed is no success`() throws {
        // So deep that its path is too long, which stops even root.
        let name = String(repeating: "d", count: 250)
        let folder = try Command.folder(["a.swift": clean])
        let made = try Command(
            shell: "for i in $(seq 18); do mkdir \(name) && cd -P \(name) || exit 9; done",
            in: folder
        )
        #expect(made.status == 0)
        let command = try Command(["check"], in: folder)
        #expect(command.status == 2)
        #expect(command.output.contains("error: the directory cannot be read [not-checked]"))
        #expect(try Command(shell: "rm -rf \(name)", in: folder).status == 0)
    }

    @Test func `a manifest that cannot be read is no success`() throws {
        let folder = try Command.folder([:])
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data([0x80]).write(to: folder.appending(path: "Package.swift"))
        #expect(try Command(["check", "Package.swift"], in: folder).status == 2)
    }

    @Test func `of a package only what its targets compile is read`() throws {
        let manifest = """
            // swift-tools-version: 6.2
            import PackageDescription
            let package = Package(
                name: "Kit",
                targets: [
                    .target(name: "Kit", path: "Kit", exclude: ["Left"]),
                    .target(name: "Part", path: "Part", sources: ["In", "One.swift"]),
                ]
            )
            """
        let folder = try Command.folder([
            "Package.swift": manifest, "Kit/a.swift": twice, "Kit/Left/b.swift": twice,
            "Part/In/c.swift": twice, "Part/One.swift": twice, "Part/Out/d.swift": twice,
        ])
        let lines = try Command(["check", "Package.swift"], in: folder).output.split(separator: "\n")
        let found = Set(lines.filter { $0.contains(": error: ") }.map { $0.prefix { $0 != ":" } })
        #expect(found == ["Kit/a.swift", "Part/In/c.swift", "Part/One.swift"])
    }

    @Test func `wrong characters are refused, in a file and on standard input`() throws {
        let folder = try Command.folder(["a.swift": clean])
        let wrong = Data(clean.utf8) + [0xFF, 0x0A]
        let command = try Command(["check", "-"], in: folder, input: wrong)
        #expect(command.status == 2)
        #expect(command.errors.contains("UTF-8"))
        try wrong.write(to: folder.appending(path: "a.swift"))
        #expect(try Command(["check"], in: folder).status == 2)
    }

    @Test func `each kind of line end ends a line`() throws {
        for end in ["\n", "\r\n", "\r"] {
            let source = twice.replacing("\n", with: end)
            let command = try Command(["check", "-"], in: Command.folder(["a.swift": clean]), input: source)
            #expect(command.output.hasPrefix("<stdin>:3:5: error: "), "\(end.debugDescription)")
        }
    }

    @Test func `a table has any line ends, and names in each line`() throws {
        let source = """
            func load(completion: @escaping () -> Void) {
                fancy { if isReady { completion() } }
            }

            """
        let folder = try Command.folder([
            "a.swift": source, "apis.txt": "# ours\r\nlater fancy\r\nmany x\r\n", "bad.txt": "many\n",
        ])
        #expect(try Command(["check", "--apis", "apis.txt"], in: folder).output.contains("[missing-delivery]"))
        let bad = try Command(["check", "--apis", "bad.txt"], in: folder)
        #expect(bad.status == 2)
        #expect(bad.errors.contains("line 1"))
    }

    @Test func `a semaphore in async code needs no other word in the file`() throws {
        let source = """
            func load() async {
                group.wait()
                sema.wait()
            }

            """
        let command = try Command(["check"], in: Command.folder(["a.swift": source]))
        #expect(command.output.contains("a.swift:2:5: warning: "))
        #expect(command.output.contains("a.swift:3:5: warning: "))
    }

    /// With the square of its length it would take longer than the time limit.
    @Test(.timeLimit(.minutes(5))) func `a chain of twenty thousand calls takes no time`() throws {
        let chain = (0..<20_000).map { "\n        .step(\($0))" }.joined()
        let body = "    group\(chain)\n        .wait()\n    completion()\n"
        let source = "func f(completion: @escaping () -> Void) {\n\(body)}\n"
        #expect(try Command(["check"], in: Command.folder(["a.swift": source])).status == 0)
    }

    // MARK: Answers that cannot be written

    @Test(arguments: ["check a.swift", "explain", "explain bad-ignore", "apis", "--help", "check --format sarif"])
    func `a full disk is an error, and no crash`(arguments: String) throws {
        let folder = try Command.folder(["a.swift": twice])
        let full = try Command(shell: "\"$tool\" \(arguments) >/dev/full", in: folder)
        #expect(full.status == 2)
        #expect(full.errors.contains("cannot be written"))
        #expect(try Command(shell: "\"$tool\" \(arguments) >&-", in: folder).status == 2)
    }

    @Test func `closed input and closed errors are no crash`() throws {
        let folder = try Command.folder(["a.swift": twice])
        #expect(try Command(shell: "\"$tool\" check - <&-", in: folder).status == 2)
        #expect(try Command(shell: "\"$tool\" check nowhere 2>&-", in: folder).status == 2)
        #expect(try Command(shell: "\"$tool\" check --fix 2>/dev/full", in: folder).status == 1)
    }

    @Test func `explains what is wrong with a comment`() throws {
        let folder = try Command.folder(["a.swift": clean])
        for rule in ["stale-ignore", "bad-ignore"] {
            #expect(try Command(["explain", rule], in: folder).output.hasPrefix("# \(rule)\n"))
        }
    }
}
