// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Foundation

/// The files of an example, for tests of what stands in them.
public struct ExampleSources: Sendable {
    /// The example's folder.
    public let folder: URL

    /// Describes the example that a test belongs to.
    ///
    /// - Parameter test: The test's file, in `Tests/<target>` of the example.
    public init(of test: String = #filePath) {
        self.folder = URL(filePath: test).deletingLastPathComponent().appending(path: "../..").standardized
    }

    /// All examples.
    ///
    /// - Parameter test: The test's file, in `ExampleTesting/Tests/<target>`.
    /// - Returns: Each folder with sources.
    /// - Throws: An error of the file system.
    public static func all(from test: String = #filePath) throws -> [Self] {
        let examples = URL(filePath: test).deletingLastPathComponent().appending(path: "../../..").standardized
        return try FileManager.default.contentsOfDirectory(at: examples, includingPropertiesForKeys: nil)
            .map(Self.init(folder:)).filter { FileManager.default.fileExists(atPath: $0.sources) }
    }

    private init(folder: URL) { self.folder = folder }

    private var sources: String { self.folder.appending(path: "Sources").path(percentEncoded: false) }

    /// Reads a file of the example.
    public func text(_ path: String) throws -> String {
        try String(contentsOf: self.folder.appending(path: path), encoding: .utf8)
    }

    /// The paths of its sources.
    public func swiftFiles() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: self.sources)
            .filter { $0.hasSuffix(".swift") }.map { "Sources/\($0)" }
    }

    /// The blocks of its README in a language, by lines.
    public func blocks(_ language: String) throws -> [[String]] {
        try self.text("README.md").components(separatedBy: "```\(language)\n").dropFirst().map { rest in
            Self.lines(rest.components(separatedBy: "\n```")[0])
        }
    }

    /// Finds what its sources make by hand although this package has it, with the file.
    ///
    /// Nobody who reads an example should learn to do that.
    public func handMadeBridges() throws -> [String] {
        try self.swiftFiles().flatMap { file in
            let text = try self.text(file)
            return (Self.bridges.filter { text.contains($0) } + text.matches(of: Self.tasks).map { "\($0.output)" })
                .map { "\(file): \($0)" }
        }
    }

    /// Finds the files of its sources in which one of these words stands.
    public func mentions(of words: [String]) throws -> [String] {
        try self.swiftFiles().flatMap { file in
            let text = try self.text(file)
            return words.filter { text.contains($0) }.map { "\(file): \($0)" }
        }
    }

    /// Whether a text makes a bridge by hand.
    public static func hasHandMadeBridge(_ text: String) -> Bool {
        Self.bridges.contains { text.contains($0) } || text.contains(Self.tasks)
    }

    /// The lines of a text, empty ones too.
    public static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Whether a block stands in a text in one piece.
    public static func stands(_ block: [String], in lines: [String]) -> Bool {
        lines.indices.contains { lines[$0...].starts(with: block) }
    }

    /// The words of bridges made by hand, tasks aside.
    public static let bridges = [
        "withCheckedContinuation", "withCheckedThrowingContinuation", "withUnsafeContinuation",
        "withUnsafeThrowingContinuation", "withTaskCancellationHandler", "AsyncStream", "AsyncThrowingStream",
        "DispatchSemaphore", "DispatchGroup",
    ]

    private static var tasks: Regex<Substring> {
        /\bTask(?:<.*>)?(?:\.(?:detached|immediate|immediateDetached|init))? ?[({]/.wordBoundaryKind(.simple)
    }
}
