// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ExactlyOnce
import Foundation
import Testing

/// The files in `Shapes`, which say themselves what is to be found in them.
///
/// A comment `// EXPECT rule level` stands at the end of a line that has a finding; two are separated by a comma. The
/// first line of a file may name a profile: `// PROFILE strict`.
@Suite(.timeLimit(.minutes(10))) struct `The shape suite` {
    static let files: [String] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Shapes")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))) ?? []
        return names.filter { $0.hasSuffix(".swift") }.sorted()
    }()

    @Test(arguments: files)
    func `finds what each line announces, and nothing else`(name: String) throws {
        let shape = try Shape(name)
        #expect(shape.file.firstSyntaxError.map { shape.file.location(of: $0) } == nil)
        let found = Set(shape.findings.map { "\($0.location.line): \($0.rule) \($0.level.rawValue)" })
        let unexpected = found.subtracting(shape.expected).sorted()
        let missing = shape.expected.subtracting(found).sorted()
        #expect(unexpected.isEmpty, "unexpected in \(name)")
        #expect(missing.isEmpty, "not found in \(name)")
    }

    @Test func `has at least 160 functions`() throws {
        let functions = try Self.files.reduce(0) { try $0 + Shape($1).functionCount }
        #expect(functions >= 160)
        print("\(functions) shapes in \(Self.files.count) files")
    }

    /// A comment `// ISSUE owner/name#number` stands above two types: the mistake, and its repair.
    @Test func `finds at least 12 mistakes that were reported elsewhere, and nothing where they are repaired`() throws {
        let shape = try Shape("Issues.swift")
        let parts = String(decoding: shape.bytes, as: UTF8.self).components(separatedBy: "// ISSUE ").dropFirst()
        #expect(parts.count >= 12)
        for part in parts {
            let names = part.matches(of: /final class (\w+)/).map { String($0.1) }
            #expect(names.count == 2, "\(part.prefix { $0 != "\n" })")
            let found = names.map { name in shape.findings.filter { $0.declaration.hasPrefix(name + ".") } }
            #expect(found[0].isEmpty == false, "nothing found in \(names[0])")
            #expect(found[1].isEmpty, "found in \(names[1])")
        }
    }

    @Test func `has a shape with and one without each rule's finding`() throws {
        let shapes = try Self.files.map { try Shape($0) }
        for page in Rules.pages {
            let id = page.id
            #expect(shapes.contains { $0.expected.contains { $0.contains(": \(id) ") } }, "no shape for \(id)")
        }
    }
}

/// One file of `Shapes`.
struct Shape {
    var file: SourceFile
    var expected: Set<String> = []
    var functionCount = 0
    var bytes: [UInt8] = []
    private var profile = Analysis.Profile.default

    init(_ name: String) throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Shapes/" + name)
        let source = try String(contentsOf: url, encoding: .utf8)
        file = SourceFile(path: name, source: source)
        bytes = Array(source.utf8)
        for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.contains("func ") { functionCount += 1 }
            if index == 0, line.hasPrefix("// PROFILE ") {
                profile = try #require(Analysis.Profile(rawValue: String(line.dropFirst(11))))
            }
            guard let range = line.range(of: "// EXPECT ") else { continue }
            for finding in line[range.upperBound...].split(separator: ",") {
                expected.insert("\(index + 1): \(finding.trimmingCharacters(in: .whitespaces))")
            }
        }
    }

    var findings: [Finding] {
        let knowledge = Knowledge(of: [file], apis: .standard)
        return Analysis(profile: profile, knowledge: knowledge).findings(in: file)
    }
}
