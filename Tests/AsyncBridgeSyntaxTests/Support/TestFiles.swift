// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import Foundation

/// The files of a folder in `Tests`.
struct TestFiles {
    private let folder: URL

    init(_ name: String) {
        var tests = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { tests.deleteLastPathComponent() }
        self.folder = tests.appendingPathComponent(name)
    }

    /// The Swift files, by name.
    var all: [String: String] {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: self.folder.path)
            let pairs = try names.filter { $0.hasSuffix(".swift") }.map { ($0, try self.text($0)) }
            return Dictionary(uniqueKeysWithValues: pairs)
        }
    }

    func text(_ name: String) throws -> String {
        try String(contentsOf: self.folder.appendingPathComponent(name), encoding: .utf8)
    }

    func write(_ text: String, to name: String) throws {
        try text.write(to: self.folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }
}
#endif
