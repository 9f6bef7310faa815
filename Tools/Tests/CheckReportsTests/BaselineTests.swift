// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

/// What a baseline accepts, and which of its entries are stale.
@Suite(.timeLimit(.minutes(5))) struct `A baseline` {
    private let twice = `The command`.twice
    private let clean = `The command`.clean

    @Test func `means the same files wherever the command is run`() throws {
        let folder = try Command.folder(["Kit/a.swift": twice, "Tools/x.txt": ""])
        let update = ["check", ".", "--baseline", "Tools/b.json", "--update-baseline"]
        #expect(try Command(update, in: folder).status == 0)
        let elsewhere = try Command(shell: "cd Kit && \"$tool\" check --baseline ../Tools/b.json", in: folder)
        #expect(elsewhere.output == "1 file, 5 lines: 0 errors, 0 warnings; 1 in the baseline\n")
        let absolute = try Command(shell: "\"$tool\" check \"$PWD/Kit\" --baseline \"$PWD/Tools/b.json\"", in: folder)
        #expect(absolute.status == 0)
    }

    @Test func `does not call entries of other files and profiles stale`() throws {
        let folder = try Command.folder(["a.swift": twice, "b.swift": twice])
        let baseline = ["--baseline", "b.json"]
        _ = try Command(["check", "--notes"] + baseline + ["--update-baseline"], in: folder)
        for arguments in [["check", "a.swift"], ["check", "--profile", "continuations"], ["check"]] {
            let command = try Command(arguments + baseline, in: folder)
            #expect(!command.output.contains("stale"), "\(arguments)")
            #expect(command.status == 0)
        }
        try FileManager.default.removeItem(at: folder.appending(path: "b.swift"))
        #expect(try Command(["check"] + baseline, in: folder).output.contains("1 stale"))
        #expect(try Command(["check", "a.swift"] + baseline, in: folder).output.contains("stale") == false)
    }

    @Test func `takes the place of a baseline only`() throws {
        let folder = try Command.folder(["a.swift": twice, "notes.txt": "mine\n"])
        let update = ["check", "--baseline", "notes.txt", "--update-baseline"]
        #expect(try Command(update, in: folder).status == 2)
        #expect(try String(contentsOf: folder.appending(path: "notes.txt"), encoding: .utf8) == "mine\n")
    }

    @Test func `that cannot be written is an error in one sentence`() throws {
        let folder = try Command.folder(["a.swift": twice])
        let command = try Command(["check", "--baseline", "nowhere/b.json", "--update-baseline"], in: folder)
        #expect(command.status == 2)
        #expect(command.errors.contains("cannot be written"))
        #expect(!command.errors.contains("Domain"))
    }

    @Test(arguments: ["continuations", "default", "strict"])
    func `a comment for another profile's finding is not stale`(profile: String) throws {
        let source = """
            func load(_ flag: Bool, whenReady: @escaping (Result<Int, any Error>) -> Void) {
                // asyncbridge:ignore[missing-delivery] the owner calls it
                guard flag else { return }
                whenReady(.success(1))
            }
            func save(completion: () -> Void) {
                completion()
                completion()  // asyncbridge:ignore[double-delivery] the caller counts
            }

            """
        let command = try Command(["check", "--profile", profile], in: Command.folder(["a.swift": source]))
        #expect(command.output == "1 file, 10 lines: 0 errors, 0 warnings\n")
        let stale = source + "// asyncbridge:ignore[double-delivery] nothing here\n"
        #expect(
            try Command(["check", "--profile", profile], in: Command.folder(["a.swift": stale])).output
                .contains("[stale-ignore]")
        )
    }
}
