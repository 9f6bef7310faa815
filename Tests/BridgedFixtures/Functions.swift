// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeMacros

// MARK: Free functions

@Bridged
func number(_ number: Int, completion: @escaping (Int) -> Void) { completion(number) }

@Bridged
func unnamed(_: Int, completion: @escaping (Int) -> Void) { completion(2) }

// Without blanks, as others write it.
// swift-format-ignore
@Bridged
func glued(_ first: Int=1, second: Int?=nil, completion: @escaping (Int) -> Void) { completion(first) }

@Bridged
func inParentheses(_ first: @escaping ((Int) -> Int), _ last: (@Sendable (Int) -> Int)) async throws -> Int {
    last(first(11))
}

@Bridged
private func hidden(completion: @escaping (Int) -> Void) { completion(3) }

// MARK: Generic, throwing, static, mutating

struct Decoder {
    private var calls = 0

    @Bridged
    func decode<T: Sendable & Equatable>(
        _ type: T.Type,
        from value: T,
        completion: @escaping (Result<T, ParseError>) -> Void
    ) where T: Comparable {
        completion(.success(value))
    }

    @Bridged
    func check(
        _ message: @autoclosure () -> String,
        into count: inout Int,
        completion: @escaping (Error?) -> Void
    ) throws {
        count += 1
        if message().isEmpty { throw ParseError(column: 0) }
        completion(nil)
    }

    @Bridged
    static func standard(completion: @escaping (Int) -> Void) { completion(4) }

    @Bridged
    mutating func next(completion: @escaping (Int) -> Void) {
        self.calls += 1
        completion(self.calls)
    }

    @Bridged
    func lenient<Failure: Error>(completion: @escaping (Result<Int, Failure>) -> Void) { completion(.success(20)) }

    @Bridged
    func either<E, Value: Sendable>(_ value: Value, completion: @escaping (Value?, E?) -> Void) where E: Error {
        completion(value, nil)
    }

    @Bridged
    func vote<E: Error>(success: @escaping (Int) -> Void, failure: @escaping (E) -> Void) { success(22) }

    @Bridged
    func perhaps<E: Error>(completion: @escaping (Result<Int, E>?) -> Void) { completion(.success(23)) }

    @Bridged(.unchecked)
    func picture<E: Error>(completion: @escaping (Picture?, E?) -> Void) { completion(Picture(), nil) }

    @Bridged(.unchecked)
    func drawing<E: Error>(completion: @escaping (Result<Picture, E>) -> Void) { completion(.success(Picture())) }

    @Bridged
    func composed(completion: @escaping @Sendable (Int?, (any Error & Sendable)?) -> Void) { completion(26, nil) }

    @Bridged
    func composedAlone(completion: @escaping @Sendable ((any Sendable & KnownError)?) -> Void) { completion(nil) }

    @Bridged
    func composedPair(
        success: @escaping @Sendable (Int) -> Void,
        failure: @escaping @Sendable (any Error & Sendable) -> Void
    ) { success(27) }

    @Bridged
    func typed<E: Error>(_ error: E, completion: @escaping (Int?, E?) -> Void) { completion(nil, error) }

    @Bridged
    func inferred<E>(completion: @escaping (Result<Int, E>) -> Void) { completion(.success(28)) }

    @Bridged
    func inferredAsync<E>(_ error: E?) async throws(E) -> Int {
        if let error { throw error }
        return 29
    }

    @Bridged
    func told<E>(_ error: E, completion: @escaping (Swift.Result<Int, E>) -> Void) { completion(.failure(error)) }

    @Bridged
    func all<each Value: Sendable>(_ values: repeat each Value, completion: @escaping (Int) -> Void) {
        var count = 0
        for _ in repeat each values { count += 1 }
        completion(count)
    }

    @Bridged
    func each(_ body: (Int) throws -> Void, completion: @escaping (Int) -> Void) rethrows {
        try body(5)
        completion(5)
    }

    @Bridged
    func some(_ value: some Sendable & CustomStringConvertible, completion: @escaping (String) -> Void) {
        completion(value.description)
    }
}

// MARK: With words of the language as names

enum Words {
    @Bridged
    static func `repeat`(_ count: Int, in `default`: Int, completion: @escaping (Int) -> Void) {
        completion(count + `default`)
    }

    @Bridged
    static func keywords(
        default: Int,
        in for: Int,
        where: Int,
        repeat: () -> Int,
        self: Int,
        completion: @escaping (_ default: Int, _ in: Int, _ where: Int, _ self: Int) -> Void
    ) {
        completion(`default`, `for`, `where` + `repeat`(), `self`)
    }

    @Bridged
    static func words(
        await: Int,
        each: Int,
        copy: Int,
        `let`: Int,
        _ `var`: Int,
        `inout`: Int,
        completion: @escaping ([Int]) -> Void
    ) {
        completion([`await`, each, copy, `let`, `var`, `inout`])
    }

    @Bridged
    static func later(default: Int, in where: Int) async -> Int { `default` + `where` }

    @Bridged(.asyncSuffix)
    static func `default`(`inout` value: Int, for _: Int, completion: @escaping (Int) -> Void) { completion(value) }

    @Bridged
    static func `the raw name`(`a label` `self`: Int, completion: @escaping (Int) -> Void) { completion(`self`) }
}

// MARK: With what belongs to one body, or to one caller

class Special {
    @Bridged
    @available(*, noasync)
    final class func final(completion: @escaping (Int) -> Void) { completion(11) }

    @Bridged
    func take(_ picture: sending Picture, completion: @escaping ((), Int) -> Void) { completion((), picture.width) }
}

enum Functions {
    static func results() async throws -> [String] {
        var decoder = Decoder()
        var count = 0
        try await decoder.check("message", into: &count)
        let first = try await decoder.next()
        var errors = [
            try await decoder.lenient(), try await decoder.either(21), try await decoder.vote(),
            try await decoder.perhaps(), try await decoder.picture().width,
            try await decoder.drawing().width, try await decoder.composed(), try await decoder.composedPair(),
        ]
        try await decoder.composedAlone()
        do { _ = try await decoder.typed(ParseError(column: 24)) } catch let error as ParseError {
            errors.append(error.column)
        }
        errors.append(try await decoder.inferred())
        errors.append(try await withCallback { decoder.inferredAsync(ParseError?.none, completion: $0.handler()) })
        do { _ = try await decoder.told(ParseError(column: 30)) } catch let error as ParseError {
            errors.append(error.column)
        }
        return [
            "\(errors)", "\(try await number(1))", "\(try await unnamed(0))", "\(try await hidden())",
            "\(try await glued())",
            "\(try await withCallback { inParentheses({ $0 + 1 }, { $0 }, completion: $0.handler()) })",
            "\(try await decoder.decode(Int.self, from: 3))", "\(count)", "\(try await Decoder.standard())", "\(first)",
            "\(try await decoder.all(1, "2", 3))", "\(try await decoder.each { _ in })",
            "\(try await decoder.some(6))", "\(try await Words.repeat(3, in: 4))",
            "\(try await Words.keywords(default: 1, in: 2, where: 3, repeat: { 4 }, self: 5))",
            "\(try await Words.words(await: 1, each: 2, copy: 3, let: 4, 5, `inout`: 6))",
            "\(try await withCallback { Words.later(default: 1, in: 2, completion: $0.handler()) })",
            "\(try await Words.defaultAsync(`inout`: 8, for: 0))", "\(try await Words.`the raw name`(`a label`: 9))",
            "\(try await Special.final())", "\(try await Special().take(Picture()).1)",
        ]
    }
}
#endif
