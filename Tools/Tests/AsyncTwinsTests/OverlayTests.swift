// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncTwins
import Testing

/// The file with the twins of a source file.
@Suite(.timeLimit(.minutes(10))) struct `A file with twins` {
    static let source = """
        import Foundation
        #if canImport(FoundationNetworking)
        import FoundationNetworking
        #endif
        @testable public import Kit

        public struct A {
            public func one(completion: @escaping (Int) -> Void) { completion(1) }
            public func two(completion: @escaping (Int) -> Void) { completion(2) }
            public func three(completion: @escaping (Int) -> Void) { completion(3) }
        }

        """

    @Test func `has the imports of the source, and a block for each twin`() {
        let overlay = PlannedPackage(Self.source).overlay()
        #expect(
            overlay?.hasPrefix(
                """
                // Async functions for those of a.swift that have a completion handler, written by “asyncbridge wrap”.
                // A block without the line above it is yours: the tool does not touch it again.

                import AsyncBridge
                import Foundation
                #if canImport(FoundationNetworking)
                import FoundationNetworking
                #endif
                @testable public import Kit

                // asyncbridge: A.one(completion:) 
                """
            ) == true
        )
        #expect(overlay?.split(separator: "\n").count { $0 == "// asyncbridge: end" } == 3)
    }

    @Test func `sends from a deprecated twin to the twin of the other function`() {
        let source = """
            @available(*, deprecated, renamed: "exists(_:completion:)")
            public func has(_ key: Int, completion: @escaping (Bool) -> Void) { completion(true) }

            """
        let overlay = PlannedPackage(source).overlay() ?? ""
        #expect(overlay.contains("@available(*, deprecated, renamed: \"exists(_:)\")"), "\(overlay)")
    }

    @Test func `has the comment of its source that says who may use it`() {
        let license = "// SPDX-License-Identifier: MIT\n// a.swift is part of something.\n"
        let package = PlannedPackage(license + "\n" + Self.source)
        let facts = package.facts[0]
        let writer = OverlayWriter(
            source: "a.swift",
            imports: facts.imports,
            license: facts.license(in: "a+Async.swift"),
            existing: nil
        )
        let text = writer.text(of: package.plan.functions)
        let head = "// SPDX-License-Identifier: MIT\n// a+Async.swift is part of something.\n\n// Async functions for "
        #expect(text?.hasPrefix(head) == true, "\(text ?? "")")
        // It goes with the last twin.
        #expect(PlannedPackage("").overlay(existing: text) == nil)
        // Another comment speaks of the source alone.
        for comment in ["// What this file does.\n", "/// Copyright\nstruct B {}\n", "import A // MIT license\n"] {
            #expect(PlannedPackage(comment + Self.source).facts[0].license(in: "b") == [])
        }
    }

    @Test func `imports a module as its owner says`() throws {
        let first = try #require(PlannedPackage(Self.source).overlay())
        let lowered = OverlayFile.lowering(importsOf: ["Kit", "Foundation"], in: first)
        #expect(lowered == first.replacing("@testable public import Kit", with: "@testable import Kit"))
        #expect(PlannedPackage(Self.source).overlay(existing: lowered) == lowered)
        #expect(OverlayFile.lowering(importsOf: ["Other"], in: first) == first)
    }

    @Test func `is the same when it is written again`() throws {
        let first = try #require(PlannedPackage(Self.source).overlay())
        #expect(PlannedPackage(Self.source).overlay(existing: first) == first)
    }

    @Test func `changes in one block if one function does`() throws {
        let first = try #require(PlannedPackage(Self.source).overlay())
        let changed = Self.source.replacing("two(completion", with: "two(_ id: Int, completion")
        let second = try #require(PlannedPackage(changed).overlay(existing: first))
        let changedLines = zip(first.split(separator: "\n"), second.split(separator: "\n")).filter { $0 != $1 }
        #expect(
            changedLines.map { String($0.1.prefix(45)) } == [
                "// asyncbridge: A.two(_:completion:) \(second.signature(of: "A.two(_:completion:)"))".prefix(45)
                    .description,
                "    public func two(_ id: Int) async throws -> Int {".prefix(45).description,
                "            self.two(id, completion: callback.valueHandler())".prefix(45).description,
            ]
        )
    }

    @Test func `keeps what users have changed in a block while its function stays as it is`() throws {
        let first = try #require(PlannedPackage(Self.source).overlay())
        let edited = first.replacing("func two() async throws", with: "func two() async throws(MyError)")
        #expect(PlannedPackage(Self.source).overlay(existing: edited) == edited)
    }

    @Test func `leaves a block without its marker to its owner, and counts it as a twin`() throws {
        let first = try #require(PlannedPackage(Self.source).overlay())
        let lines = first.split(separator: "\n", omittingEmptySubsequences: false)
        let taken = lines.filter { !$0.hasPrefix("// asyncbridge: A.two(") }.joined(separator: "\n")
        let package = PlannedPackage(["a.swift": Self.source, "b.swift": OverlayFile(taken).withoutBlocks])
        #expect(package.states["A.two(completion:)"] == "existing")
        #expect(package.overlay(existing: taken) == taken)
    }

    @Test func `loses the block of a function that is gone, and ends with the last one`() throws {
        let first = try #require(PlannedPackage(Self.source).overlay())
        let without = Self.source.replacing(#/ {4}public func two.*\n/#, with: "")
        let second = try #require(PlannedPackage(without).overlay(existing: first))
        #expect(!second.contains("func two"))
        #expect(!second.contains("\n\n\n"))
        #expect(second == PlannedPackage(without).overlay())
        #expect(PlannedPackage("import Foundation\n").overlay(existing: first) == nil)
        #expect(PlannedPackage("").overlay(existing: first + "\nstruct Mine {}\n")?.contains("struct Mine {}") == true)
    }

    @Test func `gets a new block where its function is in the source`() throws {
        let first = try #require(PlannedPackage(Self.source).overlay())
        for name in ["one", "two", "three"] {
            let before = Self.source.replacing(try Regex("    public func \(name).*\n"), with: "")
            let old = try #require(PlannedPackage(before).overlay())
            #expect(PlannedPackage(Self.source).overlay(existing: old) == first, "\(name)")
        }
    }

    @Test func `gets an import that the source has got since`() throws {
        let first = try #require(PlannedPackage(Self.source).overlay())
        let changed = "import Dispatch\n" + Self.source
        let second = try #require(PlannedPackage(changed).overlay(existing: first))
        #expect(second.contains("\nimport Dispatch\n"))
        #expect(PlannedPackage(changed).overlay(existing: second) == second)
    }

    @Test func `repeats everything that is around a function`() {
        let source = """
            #if os(Linux)
            @available(macOS 26, *)
            public struct A<T> {
                public class B {
                    #if DEBUG
                    @available(iOS 26, *) public func one(completion: @escaping () -> Void) { completion() }
                    #endif
                }
            }
            #else
            public struct C {}
            #endif
            @MainActor public extension Array where Element == Int {
                func two(completion: @escaping () -> Void) { completion() }
            }
            public protocol P { func three(completion: @escaping () -> Void) }

            """
        let overlay = PlannedPackage(source).overlay() ?? ""
        #expect(
            overlay.contains(
                """
                #if os(Linux)
                #if DEBUG
                @available(macOS 26, *)
                extension A.B {
                    @available(iOS 26, *)
                    public func one() async throws {
                """
            )
        )
        #expect(overlay.contains("}\n#endif\n#endif\n// asyncbridge: end"))
        #expect(
            overlay.contains("@MainActor\nextension Array where Element == Int {\n    public func two() async throws {")
        )
        #expect(overlay.contains("extension P {\n    public func three() async throws {"))
    }
}

extension String {
    /// The signature in the marker of a function.
    fileprivate func signature(of title: String) -> Substring {
        guard let line = split(separator: "\n").first(where: { $0.hasPrefix("// asyncbridge: \(title) ") }) else {
            return ""
        }
        return line.dropFirst("// asyncbridge: \(title) ".count).prefix(8)
    }
}
