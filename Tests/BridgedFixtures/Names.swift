// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeMacros

/// Names that hide what a twin mentions.
final class Shadows: Sendable {
    enum Error: Swift.Error { case wrong }
    struct Result {}

    func withCallback() {}
    func callAsync() {}

    @Bridged
    func task(_ task: Int, callback: Int, completion: @escaping (Int) -> Void) { completion(task + callback) }

    @Bridged
    static func make(make: Int, completion: @escaping (Int) -> Void) { completion(make) }

    @Bridged
    func fail(completion: @escaping (Int?, Error?) -> Void) { completion(nil, .wrong) }

    @Bridged
    func load(completion number: Int) async throws -> Int { number }
}

/// A name of the standard library.
struct Emptiness: Sendable {
    struct Void {}

    @Bridged
    func wait(completion: @escaping () -> ()) { completion() }

    @Bridged
    func wait(_ count: Int) async {}
}

/// Twins with names of their own.
final class Named: Sendable {
    @Bridged(.asyncSuffix)
    func save(completion: ((Int) -> Void)? = nil) { completion?(1) }

    @BridgedAs("fetch")
    func load(_ id: Int, completion: ((Int) -> Void)? = nil) { completion?(id) }

    /// The same name, meant: in async code the call without a handler is the twin's.
    @BridgedAs("keep")
    func keep(_ id: Int, completion: ((Int) -> Void)? = nil) { completion?(id) }

    @BridgedAs("begin")
    func start(_ id: Int) async -> Int { id }
}

enum Names {
    static func results() async throws -> [String] {
        let shadows = Shadows()
        var failed = 0
        do { _ = try await shadows.fail() } catch Shadows.Error.wrong { failed = 3 }
        let loaded = try await withCallback { callback in
            shadows.load(completion: 4, completion: callback.handler())
        }
        let named = Named()
        let begun = try await withCallback { callback in named.begin(7, completion: callback.handler()) }
        named.save()
        try await Emptiness().wait()
        try await withCallback(of: Void.self) { callback in Emptiness().wait(1, completion: callback.handler()) }
        return [
            "\(try await shadows.task(1, callback: 0))", "\(try await Shadows.make(make: 2))", "\(failed)", "\(loaded)",
            "\(try await named.saveAsync())", "\(try await named.fetch(6))", "\(begun)",
            "\(try await named.keep(8))",
        ]
    }
}
#endif
