// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What a command says on a terminal while it works.
@Suite(.timeLimit(.minutes(10))) struct `The progress of a command` {
    private static let count = 40

    /// A package in a git repository, with a file for each of many functions.
    private func package() throws -> Folder {
        let function = "public func load(completion: @escaping @Sendable (Result<Int, any Error>) -> Void) {}\n"
        var files = [
            "Package.swift": """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(name: "App", targets: [.target(name: "App")])

            """
        ]
        for number in 1...Self.count {
            files["Sources/App/Api\(number).swift"] = function.replacing("load", with: "load\(number)")
        }
        let folder = try Command.folder(files)
        let line = "git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -q -m a"
        #expect(try Command(shell: line, in: folder).status == 0)
        return folder
    }

    @Test(arguments: ["check", "wrap"])
    func `goes up to all of it, and is taken away`(command: String) throws {
        let folder = try package()
        let terminal = try Terminal()
        let result = try Command([command, "."], in: folder, errors: terminal)
        let lines = result.errors.split(separator: "\r")
        let percents = lines.compactMap { $0.hasSuffix(" %") ? Int($0.dropLast(2)) : nil }
        #expect(percents == percents.sorted())
        #expect(Set(percents).count == percents.count)
        #expect(percents.count >= Self.count, "a number for each file at least: \(percents)")
        #expect(percents.last == 100)
        #expect(
            result.errors.contains("\r100 %\r      \r"),
            "left on the terminal: \(result.errors.suffix(20).debugDescription)"
        )
    }

    @Test(arguments: ["check", "wrap"])
    func `is not written where nobody looks`(command: String) throws {
        let folder = try package()
        let result = try Command([command, "."], in: folder)
        #expect(!result.errors.contains("%"))
        #expect(!result.errors.contains("\r"))
    }

    @Test func `does not disturb an answer that a program reads`() throws {
        let folder = try package()
        let result = try Command(["check", ".", "--format", "json"], in: folder, errors: try Terminal())
        #expect(result.errors.isEmpty)
        #expect(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) is [String: Any])
    }
}

/// What a program takes for a terminal.
final class Terminal {
    /// The side of the user.
    private let user: FileHandle
    /// The side of the program.
    let program: FileHandle

    init() throws {
        var (user, program) = (Int32(-1), Int32(-1))
        guard openpty(&user, &program, nil, nil, nil) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        self.user = FileHandle(fileDescriptor: user, closeOnDealloc: true)
        self.program = FileHandle(fileDescriptor: program, closeOnDealloc: true)
    }

    /// Everything that was written, when the program has ended.
    func text() -> String {
        // Only the program has it still.
        try? program.close()
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            // At the end Linux has an error, Darwin no bytes.
            let count = read(user.fileDescriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
