// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncTwins
import Testing

/// What the twin of each shape of handlers looks like, where Xcode's refactoring writes a wrapper, too.
///
/// Parameters and results are the same. Each of ours throws, since a wait can be cancelled or dropped.
@Suite(.timeLimit(.minutes(10))) struct `Twins have the signatures of Xcode's wrappers` {
    @Test(arguments: [
        ("_ completion: @escaping () -> Void", "func f() async throws {"),
        ("name: String, _ completion: @escaping (String) -> Void", "func f(name: String) async throws -> String {"),
        (
            "name: String, _ n: Int, _ completion: @escaping (String?) -> Void",
            "func f(name: String, _ n: Int) async throws -> String? {"
        ),
        ("_ completion: @escaping (Error?) -> Void", "func f() async throws {"),
        ("_ completion: @escaping (String?, Error?) -> Void", "func f() async throws -> String {"),
        ("_ completion: @escaping (String?, Int, Error?) -> Void", "func f() async throws -> (String, Int) {"),
        ("_ completion: @escaping (String?, Int?, Error?) -> Void", "func f() async throws -> (String, Int) {"),
        (
            "_ completion: @escaping (A?, B?, C?, D?, E?, F?, Error?) -> Void",
            "func f() async throws -> (A, B, C, D, E, F) {"
        ),
        ("_ completion: @escaping (Result<String, Error>) -> Void", "func f() async throws -> String {"),
        (
            "n: Int, _ completion: @escaping (Result<(String, Int), Error>) -> Void",
            "func f(n: Int) async throws -> (String, Int) {"
        ),
        ("completion: @escaping (Result<String, Never>) -> Void", "func f() async throws -> String {"),
        ("completion: @escaping (Result<String, MyError>) -> Void", "func f() async throws -> String {"),
        ("completion: @escaping (String) -> Void, n: Int", "func f(n: Int) async throws -> String {"),
        (
            "n: Int, _ m: Int, completion: @escaping (String) -> Void, o: Int",
            "func f(n: Int, _ m: Int, o: Int) async throws -> String {"
        ),
    ])
    func `each shape`(parameters: String, head: String) throws {
        let source = "func f(\(parameters)) { work(completion) }\n"
        let overlay = try #require(PlannedPackage(source, takesInternal: true).overlay())
        #expect(overlay.split(separator: "\n").contains(Substring(head)), "\(overlay)")
        #expect(!overlay.contains("fatalError"))
    }

    /// Xcode returns the error as a value.
    ///
    /// Here success would never end the wait, so somebody has to say what is meant.
    @Test func `an error alone is refused`() {
        let source = "func f(_ completion: @escaping (Error) -> Void) { work(completion) }\n"
        #expect(PlannedPackage(source, takesInternal: true).states == ["f(_:)": "refused"])
    }
}
