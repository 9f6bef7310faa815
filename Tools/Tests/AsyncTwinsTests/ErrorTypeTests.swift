// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncTwins
import ExactlyOnce
import Testing

/// Which types of a package are errors, whatever they are called.
@Suite(.timeLimit(.minutes(10))) struct `Errors are told by what they conform to` {
    private static let types = """
        public class RequestError: Error {}
        public enum Trouble: Swift.Error {}
        public struct Api { public enum Failure: Sendable, LocalizedError {} }
        public protocol Fault: Error {}
        public struct Mishap: Fault {}
        public struct Quiet {}
        extension Quiet: Error {}
        extension String: Error {}
        public struct Number {}
        public enum A { public enum Kind: Error {} }
        public enum B { public enum Kind {} }

        """

    @Test(arguments: [
        ("RequestError?", "async throws {"), ("Trouble?", "async throws {"), ("Api.Failure?", "async throws {"),
        ("Failure?", "async throws {"), ("(any Fault)?", "async throws {"), ("Mishap?", "async throws {"),
        ("Quiet?", "async throws {"), ("Int?, Trouble?", "async throws -> Int {"),
        ("Int?, Bool?, Mishap?", "async throws -> (Int, Bool) {"),
        // Another package's type is none for all, nor is what only shares a name with one.
        ("String?", "async throws -> String? {"), ("Number?", "async throws -> Number? {"),
        ("Kind?", "async throws -> Kind? {"), ("B.Kind?", "async throws -> B.Kind? {"),
        ("A.Kind?", "async throws {"), ("Other.Trouble?", "async throws -> Other.Trouble? {"),
    ])
    func `a handler gets one`(values: String, end: String) throws {
        let source = Self.types + "public func run(_ completion: @escaping (\(values)) -> Void) { work(completion) }\n"
        let overlay = try #require(PlannedPackage(source).overlay())
        #expect(overlay.contains("func run() \(end)\n"), "\(overlay)")
    }

    @Test func `a generic parameter of that name is another type`() throws {
        let source = """
            \(Self.types)
            public func run<Trouble>(_ t: Trouble, completion: @escaping (Trouble?) -> Void) { completion(t) }

            """
        #expect(try #require(PlannedPackage(source).overlay()).contains("async throws -> Trouble? {"))
    }

    @Test func `an attribute says so`() {
        let source = Self.types + "public func run(completion: @escaping (Trouble?) -> Void) { completion(nil) }\n"
        let planned = PlannedPackage(source)
        let text = MacroWriter(planned.facts[0].file, others: []).text(of: planned.plan.functions)
        #expect(text?.contains("@Bridged(aliases: [\"Trouble\": \"any Swift.Error\"])\n") == true, "\(text ?? "")")
    }
}
