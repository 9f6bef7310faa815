// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncTwins
import ExactlyOnce
import Testing

/// Twins in the file of their originals: as blocks, and by macros.
@Suite(.timeLimit(.minutes(10))) struct `Twins in the source file` {
    // MARK: Blocks

    static let source = """
        import Foundation

        struct A {
            private func one(completion: @escaping (Int) -> Void) { completion(1) }
        }

        """

    private func inPlace(_ source: String, now text: String? = nil) -> String? {
        var planned = PlannedPackage(["a.swift": source], takesInternal: true, takesPrivate: true)
        let indices = planned.plan.twins(of: "a.swift")
        let writer = OverlayWriter(inPlaceOf: text ?? source)
        writer.adopt(&planned.plan.functions, indices)
        return writer.text(of: indices.map { planned.plan.functions[$0] })
    }

    @Test func `blocks stand at the end, and reach what is private`() throws {
        let text = try #require(inPlace(Self.source))
        #expect(text.hasPrefix("import Foundation\nimport AsyncBridge\n\nstruct A {\n"))
        #expect(text.contains("\n}\n\n// asyncbridge: A.one(completion:) "))
        #expect(text.hasSuffix("    }\n}\n// asyncbridge: end\n"))
        let again = try #require(inPlace(OverlayFile(text).withoutBlocks, now: text))
        #expect(again == text)
    }

    @Test func `functions of nested types have their blocks in extensions of these`() throws {
        let source = """
            import AsyncBridge

            enum A {
                struct B {
                    private struct C {
                        func one(completion: @escaping (Int) -> Void) { completion(1) }
                    }
                    fileprivate struct D {
                        private func three(completion: @escaping (Int) -> Void) { completion(3) }
                    }
                    func two(completion: @escaping (Int) -> Void) { completion(2) }
                }
            }

            """
        let text = try #require(inPlace(source))
        #expect(text.hasPrefix(source))
        #expect(text.contains("\nextension A.B {\n"), "\(text)")
        #expect(text.contains("\nextension A.B.D {\n"), "\(text)")
        // The compiler finds that type only within the one around it.
        #expect(!text.contains("extension A.B.C"), "\(text)")
        let states = PlannedPackage(["a.swift": source], takesInternal: true, takesPrivate: true).states
        #expect(states["A.B.C.one(completion:)"] == "refused", "\(states)")
    }

    @Test func `a file without twins stays as it is`() {
        let text = "struct A {}\n\n\n"
        #expect(inPlace(text) == text)
    }

    @Test func `line ends stay as they are`() throws {
        let text = try #require(inPlace(Self.source.replacing("\n", with: "\r\n")))
        #expect(text.replacing("\r\n", with: "").split(whereSeparator: \.isNewline).count == 1)
    }

    // MARK: Macros

    private func macros(_ source: String) -> String? {
        let planned = PlannedPackage(["a.swift": source], takesInternal: true, takesPrivate: true)
        let others = planned.plan.functions.filter { !$0.isTwin }
        let writer = MacroWriter(planned.facts[0].file, others: others)
        return writer.text(of: planned.plan.twins(of: "a.swift").map { planned.plan.functions[$0] })
    }

    @Test func `an attribute stands below the comment, with the arguments that it needs`() {
        let text = macros(
            """
            // A file.
            import Foundation

            typealias Handler<T> = (Result<T, any Error>) -> Void

            struct A {
                /// Loads.
                @discardableResult
                private func one(completion: @escaping (Int) -> Void) -> URLSessionTask { completion(1) }
                func two(completion: (() -> Void)? = nil) { completion?() }
                func three(completion: @escaping Handler<Int>) { completion(.success(1)) }
                func observe(_ handler: @escaping (Int) -> Void) { handler(1) }
            }

            """
        )
        #expect(
            text == """
                // A file.
                import AsyncBridgeMacros
                import Foundation

                typealias Handler<T> = (Result<T, any Error>) -> Void

                struct A {
                    /// Loads.
                    @Bridged
                    @discardableResult
                    private func one(completion: @escaping (Int) -> Void) -> URLSessionTask { completion(1) }
                    @Bridged(.asyncSuffix)
                    func two(completion: (() -> Void)? = nil) { completion?() }
                    @Bridged(aliases: ["Handler<Int>": "(Result<Int, any Error>) -> Void"])
                    func three(completion: @escaping Handler<Int>) { completion(.success(1)) }
                    func observe(_ handler: @escaping (Int) -> Void) { handler(1) }
                }

                """
        )
    }

    /// Linters want imports in order; where they have none, or parts of their own, nothing is known.
    @Test(arguments: [
        ("import Alpha\nimport Foundation\n", "import Alpha\nimport AsyncBridgeMacros\nimport Foundation\n"),
        ("import Alpha\n", "import Alpha\nimport AsyncBridgeMacros\n"),
        ("import Zeta\nimport Foundation\n", "import Zeta\nimport Foundation\nimport AsyncBridgeMacros\n"),
        (
            "import Foundation\n\n@testable import Zeta\n",
            "import Foundation\n\n@testable import Zeta\nimport AsyncBridgeMacros\n"
        ),
    ])
    func `an import stands among those that are in order, else behind them`(_ found: String, _ written: String) throws {
        let text = try #require(macros(found + "func f(completion: @escaping (Int) -> Void) { completion(1) }\n"))
        #expect(text.hasPrefix(written), "\(text)")
    }

    @Test func `a second run finds nothing to do`() throws {
        let text = try #require(macros(Self.source))
        #expect(macros(text) == text)
        let package = PlannedPackage(["a.swift": text], takesInternal: true, takesPrivate: true)
        #expect(package.states == ["A.one(completion:)": "existing"])
    }

    @Test func `a protocol has a macro of its own, which leaves out what gets no twin`() {
        let text = macros(
            """
            public protocol P {
                func one(completion: @escaping () -> Void)
                func two(_ id: Int) async
                func three() -> Int
                func onEvent(_ handler: @escaping () -> Void)
            }

            """
        )
        #expect(
            text == """
                import AsyncBridgeMacros

                @BridgedProtocol(except: "two(_:)", "onEvent(_:)")
                public protocol P {
                    func one(completion: @escaping () -> Void)
                    func two(_ id: Int) async
                    func three() -> Int
                    func onEvent(_ handler: @escaping () -> Void)
                }

                """
        )
    }

    @Test func `an error in an expansion leads to its function`() throws {
        let planned = PlannedPackage(["a.swift": Self.source], takesInternal: true, takesPrivate: true)
        let writer = MacroWriter(planned.facts[0].file, others: [])
        let file = Verification.File(path: "/p/a.swift", functions: [0], writer: writer)
        var verification = Verification(planned.plan.functions, in: [file])
        let result = try verification.run { texts in
            let isWritten = texts?.contains { $0.text?.contains("@Bridged\n") == true } == true
            let error = """
                macro expansion @Bridged:3:5: error: type 'B' does not conform to the 'Sendable' protocol
                `- /p/a.swift:5:5: note: expanded code originates here
                """
            return Verification.Build(succeeded: !isWritten, output: isWritten ? error : "")
        } readingLine: { _ in
            ""
        }
        #expect(result.succeeded)
        let text = verification.texts[0].text ?? ""
        #expect(text.contains("    @Bridged(.unchecked)\n"), "\(text)")
    }

    /// A protocol with overloads, whose macro writes lines 2 to 24.
    private static let store = """
        public final class Node { public init() {} }

        public protocol Store {
            func count(completion: @escaping (Int) -> Void)
            func node(_ id: Int, completion: @escaping (Result<Node, any Error>) -> Void)
            func node(_ name: String, completion: @escaping (Result<Node, any Error>) -> Void)
            func node<T: Equatable>(like value: T, completion: @escaping (T?, (any Error)?) -> Void)
        }

        """

    /// Builds with the macros, where the compiler says of lines of the expansion that they are wrong.
    private func verify(_ errors: (_ text: String) -> [(line: Int, message: String)]) throws -> (
        functions: [PlannedFunction], text: String, builds: Int
    ) {
        let planned = PlannedPackage(["a.swift": Self.store])
        let writer = MacroWriter(planned.facts[0].file, others: [])
        let file = Verification.File(path: "/p/a.swift", functions: [0, 1, 2, 3], writer: writer)
        var verification = Verification(planned.plan.functions, in: [file])
        let result = try verification.run { texts in
            let text = texts?.first?.text ?? ""
            // The compiler places extensions at the end of the protocol.
            let end = text.split(separator: "\n", omittingEmptySubsequences: false).lastIndex { $0 == "}" } ?? 0
            let output = errors(text).map { line, message in
                """
                macro expansion @BridgedProtocol:\(line):44: error: \(message)
                `- /p/a.swift:\(end + 1):2: note: expanded code originates here
                """
            }
            return Verification.Build(succeeded: output.isEmpty, output: output.joined(separator: "\n"))
        } readingLine: { _ in
            ""
        }
        #expect(result.succeeded)
        return (verification.functions, verification.texts[0].text ?? "", result.builds)
    }

    @Test func `an error in what a protocol's macro writes leads to its requirement`() throws {
        let (functions, text, builds) = try verify { text in
            guard text.contains("@BridgedProtocol\n"), !text.contains(".unchecked") else { return [] }
            let message = "does not conform to the 'Sendable' protocol"
            return [(16, "type 'Node' \(message)"), (22, "type 'T' \(message)")]
        }
        #expect(functions.map(\.rung.isUnchecked) == [false, false, true, true])
        #expect(builds == 3)
        #expect(
            text.contains(
                """
                    func node(_ id: Int, completion: @escaping (Result<Node, any Error>) -> Void)
                    @Bridged(.unchecked)
                    func node(_ name: String, completion: @escaping (Result<Node, any Error>) -> Void)
                    @Bridged(.unchecked)
                    func node<T: Equatable>(like value: T, completion
                """
            ),
            "\(text)"
        )
    }

    @Test func `a requirement goes down the whole ladder`() throws {
        let (functions, text, _) = try verify { text in
            guard text.contains("@BridgedProtocol") else { return [] }
            if !text.contains("except:") { return [(4, "type 'Int' does not conform to the 'Sendable' protocol")] }
            return []
        }
        #expect(functions[0].rung.errors == ["type 'Int' does not conform to the 'Sendable' protocol"])
        #expect(functions.dropFirst().allSatisfy { $0.rung == Rung() })
        #expect(text.contains("@BridgedProtocol(except: \"count(completion:)\")\n"), "\(text)")
    }

    @Test func `what is wrong with all of an extension is wrong with each requirement`() throws {
        let (functions, text, _) = try verify { text in
            text.contains("@BridgedProtocol") ? [(1, "no such thing")] : []
        }
        #expect(functions.allSatisfy { $0.rung.errors == ["no such thing"] })
        #expect(text == Self.store)
    }

    @Test func `requirements with the same labels cannot be left out one by one`() throws {
        let (functions, text, _) = try verify { text in
            text.contains("except:") || !text.contains("@BridgedProtocol") ? [] : [(10, "no such thing")]
        }
        #expect(functions.map { $0.rung.errors?.count } == [nil, 1, 1, nil])
        let words = "@BridgedProtocol cannot leave out the one of line 5 alone"
        #expect(functions[2].rung.errors?.first?.hasPrefix(words) == true)
        #expect(text.contains("@BridgedProtocol(except: \"node(_:completion:)\")\n"), "\(text)")
    }

    @Test func `a requirement that shares its labels with one that gets none`() {
        let source = """
            protocol P {
                func run(completion: @escaping (Int) -> Void)
                func run(completion: @escaping (String) -> Void)
                func end(_ id: Int, completion: @escaping (Int) -> Void)
                func end(_ name: String, completion: @escaping (Int) -> Bool)
                func stop(completion: @escaping (Int) -> Void)
            }

            """
        let planned = PlannedPackage(["a.swift": source], takesInternal: true)
        #expect(planned.plan.functions.map(\.decision.word) == ["twin", "refused", "twin", "refused", "twin"])
        let writer = MacroWriter(planned.facts[0].file, others: planned.plan.functions.filter { !$0.isTwin })
        var functions = planned.plan.functions
        writer.adopt(&functions, [0, 2, 4])
        let text = writer.text(of: [0, 2, 4].map { functions[$0] })
        // The macro writes the first one of two that differ in what they return.
        #expect(text?.contains("@BridgedProtocol(except: \"end(_:completion:)\")\n") == true, "\(text ?? "")")
        #expect(functions.map { $0.rung.errors?.count } == [nil, nil, 1, nil, nil])
    }
}
