// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeMacros

typealias Handler = (Int?, (any Error)?) -> Void
typealias Success<Value> = (Value) -> Void
typealias Failure = (any Error) -> Void

final class Argued: Sendable {
    @Bridged(delivers: ((Int?, (any Error)?) -> Void).self)
    func aliased(completion: @escaping Handler) { completion(1, nil) }

    @Bridged(completion: "answer", delivers: (@Sendable (Result<Int, any Error>) -> Void).self)
    func twoAliases(_ other: Handler?, answer: @escaping @Sendable (Result<Int, any Error>) -> Void) {}

    @Bridged(.asyncSuffix, aliases: ["Success<Int>": ((Int) -> Void).self, "Failure": ((any Error) -> Void).self])
    func voted(_ id: Int, success: Success<Int>? = nil, failure: Failure? = nil) {
        if id > 0 { success?(id) } else { failure?(ParseError(column: id)) }
    }

    @Bridged
    func spelledOut(_ id: Int, completion: @escaping (Int) -> Void, onError: @escaping (Error) -> Void) {
        completion(id)
    }

    @Bridged(completion: "second")
    func two(completion: @escaping (Int) -> Void, second: @escaping (Int) -> Void) { second(2) }

    @Bridged(ifInterrupted: 0)
    func dropped(completion: @escaping (Int) -> Void) {}

    @Bridged(ifInterrupted: 10)
    func droppedNever(completion: @escaping (Result<Int, Never>) -> Void) {}

    @Bridged(ifInterrupted: ())
    func droppedVoid(completion: @escaping () -> Void) {}

    @Bridged(.cooperative)
    func cooperative(completion: @escaping (Int) -> Void) { completion(5) }

    @Bridged(.optional)
    func absent(completion: @escaping (Int?, (any Error)?) -> Void) { completion(nil, nil) }

    @Bridged(timeout: .seconds(60))
    func timed(completion: @escaping (Int) -> Void) { completion(4) }
}

enum Arguments {
    static func results() async throws -> [String] {
        let argued = Argued()
        await argued.droppedVoid()
        return [
            "\(try await argued.aliased())", "\(try await argued.two { _ in })", "\(await argued.dropped())",
            "\(try await argued.timed())", "\(try await argued.cooperative())",
            "\(String(describing: try await argued.absent()))", "\(try await argued.votedAsync(8))",
            "\(try await argued.spelledOut(9))", "\(await argued.droppedNever())",
        ]
    }
}
#endif
