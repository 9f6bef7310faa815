// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncTwins
import ExactlyOnce
import Testing

/// Twins in the file of their originals: as blocks, and by macros.
@Suite struct `Twins in the source file` {
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
                import Foundation
                import AsyncBridgeMacros

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
}
