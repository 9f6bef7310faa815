// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

// What users have written into blocks.

extension `The command that writes twins` {
    private func write(_ text: String, to path: String, in folder: Folder) throws {
        try text.write(to: folder.appending(path: path), atomically: true, encoding: .utf8)
    }

    @Test func `edits of blocks in source files are not lost in silence`() throws {
        let folder = try package()
        let path = "Sources/App/Api.swift"
        let write = ["wrap", "--write", "--level", "in-place", "--allow-dirty"]
        _ = try Command(write, in: folder)
        let written = try #require(text(path, in: folder))
        let edited = written.replacing(
            "of: Int.self) { callback in\n            self.user",
            with: "of: Int.self) { c in"
        )
        .replacing("user(_ id: Int, completion", with: "user(_ id: Int, retries: Int, completion")
        try self.write(edited, to: path, in: folder)
        let output = try Command(write, in: folder).output
        let words = "the block of Api.user(_:completion:) was edited, and its function has changed."
        #expect(output.contains("\(path): \(words)"))
        #expect(output.split(separator: "was edited").count == 2)
    }

    @Test func `a commented-out block that was uncommented is commented out again if it does not compile`() throws {
        let folder = try package()
        let line = compiler("Node", "no such thing")
        _ = try Command(["wrap", "--write", "--verify", line], in: folder)
        let written = try #require(text(Self.overlay, in: folder))
        let lines = written.split(separator: "\n", omittingEmptySubsequences: false).map { line -> Substring in
            line.hasPrefix("// ") && (line.contains("node") || line.contains("Node")) && !line.contains("asyncbridge:")
                ? line.dropFirst(3) + " /* mine */" : line
        }
        try write(lines.joined(separator: "\n"), to: Self.overlay, in: folder)
        // Nothing is built: it is as its owner has left it, but for the mark.
        _ = try Command(["wrap", "--write"], in: folder)
        let kept = try #require(text(Self.overlay, in: folder))
        #expect(kept.contains("\n    public func node() async throws -> Node { /* mine */\n"), "\(kept)")
        #expect(!kept.contains("proven commented-out"))
        let limit = "mkdir -p .build; echo >>.build/n; test $(wc -l <.build/n) -lt 9 || kill -INT $PPID; "
        let command = try Command(["wrap", "--write", "--verify", limit + line], in: folder)
        #expect(command.status == 0)
        let now = try #require(text(Self.overlay, in: folder))
        #expect(now.contains("//     public func node() async throws -> Node { /* mine */\n"), "\(now)")
        #expect(now.split(separator: "\n").count { $0 == "// Does not compile: no such thing" } == 1, "\(now)")
        #expect(try Command(["wrap", "--write", "--verify", line], in: folder).status == 0)
        #expect(text(Self.overlay, in: folder) == now)
    }

    @Test func `a file whose head somebody has written goes with its last twin only if it has no code`() throws {
        let folder = try package()
        _ = try Command(["wrap", "--write"], in: folder)
        let written = try #require(text(Self.overlay, in: folder))
        try write("struct Mine {}\n\n" + written, to: Self.overlay, in: folder)
        try write("", to: "Sources/App/Api.swift", in: folder)
        _ = try Command(["wrap", "--write", "--allow-dirty"], in: folder)
        #expect(text(Self.overlay, in: folder)?.contains("struct Mine {}") == true)
    }
}
