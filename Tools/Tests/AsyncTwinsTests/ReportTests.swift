// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncTwins
import CheckReports
import Foundation
import Testing

/// What is said of a plan.
@Suite(.timeLimit(.minutes(10))) struct `Reports of a plan` {
    static let package = PlannedPackage(
        """
        public struct A {
            public func one(completion: @escaping (Result<Int, any Error>) -> Void) { completion(.success(1)) }
            public func two(completion: (() -> Void)? = nil) { completion?() }
            func three(completion: @escaping () -> Void) { completion() }
            public func onEvent(_ handler: @escaping (Int) -> Void) { handler(1) }
            public init(completion: @escaping () -> Void) {}
        }
        public protocol ADelegate: AnyObject {
            func a(_ a: A, didReach place: Int)
            func aShouldStop(_ a: A) -> Bool
        }
        public protocol DataDelegate { func data() -> Int }

        """
    )

    @Test func `a long name pushes nobody else to the right`() {
        let long = "name" + String(repeating: "r", count: 80)
        let source = """
            public func \(long)(completion: @escaping (Int) -> Void) { completion(1) }
            public func short(completion: @escaping (Int) -> Void) { completion(1) }

            """
        let short = "short(completion:)" + String(repeating: " ", count: 42)
        #expect(
            PlannedPackage(source).plan.table == """
                Place      Function\(String(repeating: " ", count: 54))Twin
                a.swift:1  \(long)(completion:)  \(long)()  [proven]
                a.swift:2  \(short)  short()  [proven]

                """
        )
    }

    @Test func `the table has one line for each function`() {
        #expect(
            Self.package.plan.table == """
                Place      Function              Twin
                a.swift:2  A.one(completion:)    one()  [proven]
                a.swift:3  A.two(completion:)    twoAsync()  [proven, renamed]
                a.swift:4  A.three(completion:)  internal
                a.swift:5  A.onEvent(_:)         several-shot? It is called like a registration, or returns one
                a.swift:6  A.init(completion:)   refused: an initializer cannot have a twin; write a static function \
                that returns the object

                """
        )
    }

    @Test func `the summary counts`() {
        #expect(
            Self.package.plan.summary == """
                5 functions with a completion handler:
                  2 with a twin that this tool writes: 1 with a Result, 1 with nothing
                    2 whose handler is called once on every path that the checker follows
                    1 called …Async, because callers may leave the handler out, and such calls would mean the twin
                  1 internal: --include-internal takes these, too
                  1 that may call back more than once: write a CallbackSequence
                  1 refused: initializers; write a static function that returns the object

                Delegates whose events can become a sequence, with what to write:
                a.swift:8: ADelegate
                    @DelegateEvents
                    final class AEvents: ADelegate {
                        func a(_ a: A, didReach place: Int)
                        // The other methods return something, or have a handler: write their bodies.
                    }

                """
        )
    }

    @Test func `the JSON has each function once, and totals that add up`() throws {
        let data = Data(Self.package.plan.json.written().utf8)
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let functions = try #require(json["functions"] as? [[String: Any]])
        let totals = try #require(json["totals"] as? [String: Int])
        #expect(functions.count == 5)
        #expect(json["total"] as? Int == 5)
        #expect(totals == ["twin": 2, "internal": 1, "several-shot": 1, "refused": 1])
        #expect(Set(functions.map { "\($0["line"] ?? "")" }).count == 5)
        #expect(functions.map { $0["verdict"] as? String }.allSatisfy { $0 != nil })
        let event = try #require(functions.first { $0["name"] as? String == "onEvent" })
        #expect(
            event["proposal"] as? String == """
                CallbackSequence<Int, Never> { sink in
                    self.onEvent(sink.handler())
                    return { /* stop it */ }
                }
                """
        )
    }

    @Test func `a handler that is dropped or called twice is said, with its line`() throws {
        let plan = PlannedPackage(
            """
            public struct A {
                public func drops(_ number: Int, completion: @escaping (Int) -> Void) {
                    guard number > 0 else {
                        return
                    }
                    completion(number)
                }
                public func doubles(_ number: Int, completion: @escaping (Int) -> Void) {
                    if number > 0 {
                        completion(number)
                    }
                    completion(0)
                }
            }

            """
        ).plan
        #expect(plan.summary.contains("a.swift:4"), "\(plan.summary)")
        #expect(plan.summary.contains("a.swift:12"), "\(plan.summary)")
        let data = Data(plan.json.written().utf8)
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let functions = try #require(json["functions"] as? [[String: Any]])
        let lines = functions.map { ($0["findings"] as? [[String: Any]] ?? []).map { $0["line"] as? Int } }
        #expect(lines == [[4], [12]])
    }

    @Test func `a pair of closures is one handler`() {
        let package = PlannedPackage(
            """
            public struct A {
                public func load(
                    _ id: Int,
                    success: @escaping (Int) -> Void,
                    failure: @escaping (any Error) -> Void
                ) { success(id) }
            }

            """
        )
        #expect(package.overlay()?.contains("public func load(_ id: Int) async throws -> Int {\n") == true)
        #expect(package.twins == ["A.load(_:success:failure:)": "load(_:)"])
    }

    @Test(arguments: [
        ("(handler: @escaping () -> Void)", "<Void, Never>", "self.f(handler: sink.handler { () })"),
        ("(_ handler: @escaping (Int, String) -> Void)", "<(Int, String), Never>", "self.f(sink.handler { ($0, $1) })"),
        (
            "(_ each: @escaping (Result<Int, any Error>) -> Void)", "<Int, any Error>",
            "self.f(sink.handler { try $0.get() })"
        ),
        (
            "(_ each: @escaping (Data?, (any Error)?) -> Void)", "<Data?, any Error>",
            "self.f(sink.handler { if let error = $1 { throw error }; return $0 })"
        ),
        (
            "(_ each: @escaping (Data?, Double, (any Error)?) -> Void)", "<(Data?, Double), any Error>",
            "self.f(sink.handler { if let error = $2 { throw error }; return ($0, $1) })"
        ),
        (
            "(end: @escaping (Result<Void, any Error>) -> Void, value: @escaping (Int) -> Void)", "<Int, any Error>",
            "self.f(end: sink.completionHandler(), value: sink.handler())"
        ),
        (
            "(handler: @escaping (Int) -> Void, failed: @escaping (any Error) -> Void)", "<Int, any Error>",
            "self.f(handler: sink.handler(), failed: sink.errorHandler())"
        ),
        (
            "(value: @escaping (Int) -> Void, ended: @escaping ((any Error)?) -> Void)", "<Int, any Error>",
            "self.f(value: sink.handler(), ended: sink.completionHandler())"
        ),
        (
            "(matching: @escaping (Int) -> Bool, handler: @escaping (Int) -> Void)", "<Int, Never>",
            "self.f(matching: matching, handler: sink.handler())"
        ),
        (
            "(handler: @escaping (Int) -> Void, more: @escaping (Int, Int) -> Void)", "<Int, Never>",
            "self.f(handler: sink.handler(), more: { _, _ in /* what it tells */ })"
        ),
    ])
    func `the sequence to write fits what the function takes`(parameters: String, type: String, call: String) throws {
        let source =
            "public final class A {\n    /// The handler is called many times.\n    public func f\(parameters) {}\n}\n"
        let function = try #require(PlannedPackage(source).plan.functions.first)
        #expect(
            function.proposedSequence == """
                CallbackSequence\(type) { sink in
                    \(call)
                    return { /* stop it */ }
                }
                """
        )
    }

    @Test func `a difference is one that patch can apply`() {
        let old = (1...12).map(String.init).joined(separator: "\n") + "\n"
        let new = old.replacing("\n2\n", with: "\n2\n2a\n").replacing("11\n", with: "")
        #expect(
            UnifiedDiff.text(of: "f", from: old, to: new) == """
                --- a/f
                +++ b/f
                @@ -1,5 +1,6 @@
                 1
                 2
                +2a
                 3
                 4
                 5
                @@ -8,5 +9,4 @@
                 8
                 9
                 10
                -11
                 12

                """
        )
        #expect(UnifiedDiff.text(of: "f", from: nil, to: "1\n") == "--- /dev/null\n+++ b/f\n@@ -0,0 +1,1 @@\n+1\n")
        #expect(UnifiedDiff.text(of: "f", from: "1\n", to: nil) == "--- a/f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-1\n")
        #expect(UnifiedDiff.text(of: "f", from: "1\n", to: "1\n") == "")
    }
}
