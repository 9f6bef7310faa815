// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

// A package that does not come as far as its sources proves nothing.

extension `The command that writes twins` {
    @Test(arguments: [
        "error: 'app': product 'Nope' required by package 'app' target 'App' not found.",
        "error: 'app': Invalid manifest (compiled with: [swiftc])\n$PWD/Package.swift:7:9: error: cannot find 'x' in scope",
        "$PWD/.build/checkouts/Kit/Sources/Kit/a.swift:1:1: error: cannot find 'x' in scope",
        "/elsewhere/a.swift:1:1: error: cannot find 'x' in scope",
        "make: *** No rule to make target 'app'.  Stop.",
    ])
    func `a package that is not even compiled without twins gets none`(output: String) throws {
        let folder = try package()
        let command = try Command(["wrap", "--write", "--verify", "echo \"\(output)\"; exit 1"], in: folder)
        #expect(command.status == 2)
        #expect(command.errors.contains("fails without twins, before the compiler comes to the package's sources"))
        #expect(command.errors.contains(try #require(output.split(separator: " ").last)))
        #expect(!command.errors.contains("building with twins"), "\(command.errors)")
        #expect(try changes(in: folder) == "")
    }

    @Test func `errors of the package's own sources are told apart`() throws {
        let folder = try package(["Sources/App/Broken.swift": "let a: Int = nothing\n"])
        let line = "echo \"$PWD/Sources/App/Broken.swift:1:14: error: cannot find 'nothing' in scope\"; exit 1"
        let command = try Command(["wrap", "--write", "--verify", line], in: folder)
        #expect(command.status == 0)
        #expect(command.output.contains("fails without twins, and has no other errors with them:"))
        #expect(command.output.contains("Broken.swift:1: cannot find 'nothing' in scope"))
        #expect(command.output.contains("run this again when they are gone."))
        #expect(try changes(in: folder) == "?? \(Self.overlay)\n")
    }

    @Test func `a build that is never compiled with them ends it`() throws {
        let folder = try package(["Sources/App/Broken.swift": "let a: Int = nothing\n"])
        let line = """
            if test -e \(Self.overlay); then echo "error: no space left"; else \
            echo "$PWD/Sources/App/Broken.swift:1:14: error: cannot find 'nothing' in scope"; fi; exit 1
            """
        let command = try Command(["wrap", "--write", "--verify", line], in: folder)
        #expect(command.status == 2)
        #expect(command.errors.contains("error: no space left"))
        #expect(try changes(in: folder) == "")
    }

    @Test func `a real manifest with an unknown product stops it`() throws {
        let manifest = Self.manifest.replacing(
            "dependencies: [\"AsyncBridge\"]",
            with: "dependencies: [\"AsyncBridge\", .product(name: \"Nope\", package: \"nope\")]"
        )
        let folder = try package(["Package.swift": manifest])
        let command = try Command(["wrap", "--write", "--verify", "swift build --disable-sandbox"], in: folder)
        #expect(command.status == 2, "\(command.output)")
        #expect(command.errors.contains("fails without twins"))
        #expect(try changes(in: folder) == "")
    }

    @Test func `a build whose status a pipe hides has failed if the compiler says so`() throws {
        let folder = try package()
        let line = "( \(compiler("Node", "no such thing")) ) | cat"
        let command = try Command(["wrap", "--write", "--verify", line], in: folder)
        #expect(command.status == 0)
        #expect(command.output.contains("1 with one that does not compile: it is commented out"))
        #expect(text(Self.overlay, in: folder)?.contains("// Does not compile: no such thing\n") == true)
    }
}
