// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncTwins
import ExactlyOnce
import Foundation
import Testing

/// Functions with completion handlers that nothing calls any more, as they are written afterwards.
@Suite(.timeLimit(.minutes(10))) struct `Completion forms go when nothing calls them` {
    private func drop(
        _ source: String,
        others: String = "",
        more: String = "",
        isBreaking: Bool = false
    ) -> (file: CompletionVerification.File, sites: [CompletionSite]) {
        let package = PlannedPackage(["App/a.swift": source, "App/b.swift": more], takesInternal: true)
        let dropper = CompletionDropper(
            package.plan,
            package.facts,
            others: [SourceFile(path: "Tests/t.swift", source: others)],
            allowsPublic: isBreaking
        )
        let sites = dropper.sites(in: package.facts[0])
        return (.init(path: "/p/a.swift", source: package.facts[0].file, sites: sites), sites)
    }

    private func reasons(_ source: String, others: String = "", more: String = "") -> [CompletionSite.Reason?] {
        drop(source, others: others, more: more).sites.map(\.reason)
    }

    @Test(arguments: [
        ("/// Loads.\nstruct Api {", "import AsyncBridge\n\n/// Loads.\nstruct Api {"),
        (
            "// MIT\n\n// MARK: A\n\n/// Loads.\nstruct Api {",
            "// MIT\n\nimport AsyncBridge\n\n// MARK: A\n\n/// Loads.\nstruct Api {"
        ),
        (
            "/*\n MIT\n */\n\n/** Loads. */\nstruct Api {",
            "/*\n MIT\n */\n\nimport AsyncBridge\n\n/** Loads. */\nstruct Api {"
        ),
        ("struct Api {", "import AsyncBridge\n\nstruct Api {"),
    ])
    func `the import takes no documentation from the first declaration`(head: String, expected: String) {
        let text = drop(head + "\n    func item(done: @escaping (Int) -> Void) { done(1) }\n}\n").file.text
        #expect(text.hasPrefix(expected + "\n    func item() async throws -> Int {\n"), "\(text)")
    }

    @Test func `the body moves into the async function`() {
        let (file, _) = drop(
            """
            import Foundation

            struct Api {
                // Not of the documentation.

                /// Loads a user.
                ///
                /// - Parameters:
                ///   - id: Which one.
                ///   - completion: Gets it.
                func user(_ id: Int, completion: @escaping @Sendable (Result<Int, any Error>) -> Void) {
                    guard id > 0 else {
                        completion(.failure(Wrong()))
                        return
                    }

                    // Later.
                    queue.async {
                        completion(.success(id))
                    }
                }

                func item(done: ((Int) -> Void)?) { done?(1) }
            }

            """
        )
        #expect(
            file.text == """
                import AsyncBridge
                import Foundation

                struct Api {
                    // Not of the documentation.

                    /// Loads a user.
                    ///
                    /// - Parameters:
                    ///   - id: Which one.
                    /// - Returns: The answer.
                    /// - Throws: Its error, `CancellationError`, or `BridgeFault` if it never calls back.
                    func user(_ id: Int) async throws -> Int {
                        try await AsyncBridge.withCallback(of: Int.self) { callback in
                            let completion: @Sendable (Result<Int, any Error>) -> Void = callback.handler()
                            guard id > 0 else {
                                completion(.failure(Wrong()))
                                return
                            }

                            // Later.
                            queue.async {
                                completion(.success(id))
                            }
                        }
                    }

                    func item() async throws -> Int {
                        try await AsyncBridge.withCallback(of: Int.self) { callback in
                            let done: ((Int) -> Void)? = callback.valueHandler()
                            done?(1)
                        }
                    }
                }

                """
        )
    }

    private static let item = "func item(_ id: Int, completion: @escaping (Int) -> Void) { completion(id) }"

    @Test(
        arguments: [
            // Who still calls it.
            ("a.item(1) { _ in }", .isCalled),
            ("a.item(1, completion: f)", .isCalled),
            ("super.item(1, completion: f)", .isCalled),
            ("b.item { } other: { }", .isCalled),
            ("a.item(1)", nil),
            ("a.item(x: 1) { _ in }", nil),
            ("let f = a.item", .isNamed),
            ("let f = #selector(A.item(_:completion:))", .isNamed),
            ("let item = 1\nprint(item, x.item)", nil),
            ("let item = A.item(_:completion:)", .isNamed),
        ] as [(String, CompletionSite.Reason?)]
    )
    func `one that is called or named stays`(use: String, reason: CompletionSite.Reason?) {
        let source = "struct A {\n    \(Self.item)\n}\n"
        #expect(reasons(source, others: "func use() { \(use) }") == [reason])
        #expect(reasons(source, more: "func use() { \(use) }") == [reason])
    }

    @Test(
        arguments: [
            ("struct A { public ITEM }\n", nil),
            ("public struct A { public ITEM }\n", .isPublic),
            (
                "struct A { func vote(success: @escaping (Int) -> Void, failure: @escaping (any Error) -> Void) { success(1) } }\n",
                .severalHandlers
            ),
            ("class A { ITEM }\nclass B: A { override ITEM }\n", .belongsToOthers),
            (
                "protocol P { func item(_ id: Int, completion: @escaping (Int) -> Void) -> Int }\nstruct A { ITEM }\n",
                .belongsToOthers
            ),
            ("class A: NSObject { ITEM }\n", .belongsToOthers),
            ("class B: NSObject {}\nclass A: B { ITEM }\n", .belongsToOthers),
            ("extension URLSession { ITEM }\n", .belongsToOthers),
            ("struct A: Sendable, Swift.Hashable { ITEM }\n", nil),
            ("class A { @objc ITEM }\n", .attribute),
            ("class A { dynamic ITEM }\n", .attribute),
            ("struct A { @MainActor ITEM }\n", nil),
            ("#if os(Linux)\nstruct A { ITEM }\n#endif\n", .conditions),
            (
                "struct A { func item(_ id: Int, completion: @escaping (Int) -> Void) { callback(); completion(1) } }\n",
                .names
            ),
            (
                "struct A { func item(_ id: Int, /* x */ completion: @escaping (Int) -> Void) { completion(1) } }\n",
                .losesComment
            ),
            (
                "struct A { func item(_ id: Int, completion: @escaping (Int) -> Void) { completion(1) /* x */ } }\n",
                .losesComment
            ),
            (
                "struct A { func item(_ id: Int, completion: @escaping (Int) -> Void) { if id > 1 { item(0, completion: completion) } else { completion(1) } } }\n",
                .isCalled
            ),
            ("ITEM\n", nil),
        ] as [(String, CompletionSite.Reason?)]
    )
    func `one that others may need stays`(source: String, reason: CompletionSite.Reason?) {
        #expect(reasons(source.replacing("ITEM", with: Self.item)).first == reason)
    }

    @Test func `the example of the guide`() throws {
        var folder = URL(filePath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        let guide = folder.appending(path: "Sources/AsyncBridge/AsyncBridge.docc/Guides/WrappingAPackage.md")
        let section = try #require(
            String(contentsOf: guide, encoding: .utf8).split(separator: "### Completion handlers nobody needs\n").last
        )
        let blocks = section.split(separator: "```", omittingEmptySubsequences: false)
        let (before, after) = (blocks[1].dropFirst("text\n".count), blocks[3].dropFirst("text\n".count))
        #expect(drop(String(before)).file.text == "import AsyncBridge\n\n" + after)
    }

    @Test func `public ones go if other packages may break`() {
        let source = "public struct A {\n    public \(Self.item)\n}\n"
        #expect(
            drop(source, isBreaking: true).file.text.contains("    public func item(_ id: Int) async throws -> Int {\n")
        )
    }

    @Test func `what the package needs is taken back`() throws {
        let source = """
            struct A {
                \(Self.item)
                \(Self.item.replacing("item", with: "other"))
            }

            """
        let run = { (output: String) in
            var verification = CompletionVerification([drop(source).file])
            try verification.run { files in
                let isThere = files[0].text.contains("func other(_ id: Int) async")
                return Verification.Build(succeeded: !isThere, output: isThere ? output : "")
            }
            return (verification.files[0], verification.builds)
        }
        for error in ["/p/a.swift:12:3: error: no\n", "/p/t.swift:1:1: error: no 'other'\n"] {
            let (file, builds) = try run(error)
            #expect(builds == 2)
            #expect(file.sites.map { $0.reason == nil } == [true, false])
            #expect(file.text.contains("func item(_ id: Int) async throws -> Int {\n"))
        }
        let (file, _) = try run("something else\n")
        #expect(file.sites.map(\.reason) == [.compiler(["something else"]), .compiler(["something else"])])
        #expect(file.text == source)
    }
}
