// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncTwins
import ExactlyOnce
import Testing

/// What keeps a closure for somebody else, and calls nobody back.
@Suite(.timeLimit(.minutes(10))) struct `Factories are no functions with a completion handler` {
    // Each alone: the others would hide it.
    @Test(arguments: [
        "public func makeHandler(id: Int) -> (Result<Int, any Error>) -> Void { { _ in } }",
        "public func makeHandler(completion: @escaping (Int) -> Void) -> (Bool) -> Void { { _ in completion(1) } }",
        "public func later(_ handler: @escaping (Int) -> Void) -> () -> Void { return { handler(1) } }",
        "public func twice(_ completion: @escaping (Int) -> Void) -> ((Int) -> Void)? { completion }",
        "public func on(_ completion: @escaping (Int) -> Void) -> Handler { let all = { completion($0) }; return all }",
        """
        public func counted(_ completion: @escaping (Int) -> Void) -> Handler {
            var count = 0
            func one(_ number: Int) { completion(number + count) }
            return one
        }
        """,
        "public func box(completion: @escaping (Int) -> Void) -> Box { Box(completion: completion) }",
        "public func box(completion: @escaping (Int) -> Void) -> Box { return .init(call: { completion($0) }) }",
        "private func box(completion: @escaping (Int) -> Void) -> Box { Box(completion: completion) }",
        "public protocol P { func wrap(_ completion: @escaping (Int) -> Void) -> (Int) -> Void }",
        "public class A { public init(completion: @escaping Handler) { self.completion = completion } }",
        "public class A { public init(_ handler: Handler?) { if let handler = handler { handlers.append(handler) } } }",
        "public class A { public init(completion: @escaping Kit.Handler) { call = completion } }",
        "public class A { public init(onDone handler: @escaping Handler) { self.call = { handler($0) } } }",
        "public class A { public convenience init(completion: @escaping Handler) { self.init(1, completion) } }",
        "public class A: B { public init(completion: @escaping Handler) { super.init { completion($0) } } }",
        "public class A { public init(completion: @escaping Handler) { box = Box(completion: completion) } }",
        "public class A { public init(handler: @escaping Handler) { self.handler = handler } }",
    ])
    func `what only keeps its closure is not counted`(source: String) {
        let package = PlannedPackage("public typealias Handler = (Int) -> Void\n\(source)\n")
        #expect(package.states == [:])
        #expect(package.plan.summary.hasPrefix("No function has a completion handler."))
    }

    @Test(arguments: [
        "public func load(completion: @escaping (Int) -> Void) -> () -> Void { start(completion); return { stop() } }",
        "public func load(completion: @escaping (Int) -> Void) -> (Int) -> Void { completion(1); return { _ in } }",
        "public func load(completion: @escaping (Int) -> Void) -> Box { box.get { completion($0) } }",
        "public protocol P { func load(completion: @escaping (Int) -> Void) -> () -> Void }",
        "public class A { public init(completion: @escaping (A) -> Void) { self.c = completion; completion(self) } }",
        "public class A { public init(completion: @escaping (A) -> Void) { load { completion(self) } } }",
        "public class A { public init(completion: @escaping (A) -> Void) }",
    ])
    func `what calls it, or may, is counted`(source: String) {
        #expect(PlannedPackage(source + "\n").states.values.map(\.self) == ["refused"])
    }

    @Test(arguments: [
        "public func observe(_ handler: @escaping (Int) -> Void) -> Observation { Observation(handler) }",
        "public func onEvent(_ handler: @escaping (Int) -> Void) { self.handler = handler }",
    ])
    func `a registration stays one`(source: String) {
        #expect(PlannedPackage(source + "\n").states.values.map(\.self) == ["several-shot"])
    }

    @Test func `what returns a handle that can be cancelled has a twin`() {
        let source = "public func load(completion: @escaping (Int) -> Void) -> Job.Task { .init(completion) }\n"
        #expect(PlannedPackage(source).states == ["load(completion:)": "twin"])
    }
}
