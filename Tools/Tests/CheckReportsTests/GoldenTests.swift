// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

/// The three formats, compared with files byte by byte.
@Suite(.timeLimit(.minutes(10))) struct `The formats` {
    static let source = """
        func load(_ id: Int, completion: @escaping (Int) -> Void) {
            if id == 0 {
                completion(0)
            }
            completion(id)
        }

        func wait() async -> Int {
            await withCheckedContinuation { continuation in
                print("“ö”\\t")
            }
        }

        """

    @Test(arguments: ["text", "json", "sarif"])
    func `are as they were`(format: String) throws {
        let folder = try Command.folder(["Sources/My File.swift": Self.source])
        let command = try Command(["check", "--format", format], in: folder)
        let golden = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden/report.\(format)")
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            try command.output.write(to: golden, atomically: true, encoding: .utf8)
        }
        #expect(command.output == (try String(contentsOf: golden, encoding: .utf8)))
        #expect(command.status == 1)
    }

    @Test(arguments: ["json", "sarif"])
    func `are valid JSON`(format: String) throws {
        let folder = try Command.folder(["a.swift": Self.source])
        let command = try Command(["check", "--format", format], in: folder)
        _ = try JSONSerialization.jsonObject(with: Data(command.output.utf8))
    }
}
