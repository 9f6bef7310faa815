// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeMacros

typealias GenericHandler<Value> = (Value?, (any Error)?) -> Void
typealias LoadResult = Result<Int, any Error>
typealias Answered = Int?

/// An error whose name does not say so.
struct Fault: Error {
    var code: Int
}

/// What its name does not say: no error.
struct LastError: Sendable {
    var code: Int
}

/// What stands for what, and what is not what its name says.
final class Aliased: Sendable {
    // MARK: Generic parameters, which only a text may mention

    @Bridged(delivers: "(Value?, (any Error)?) -> Void")
    func generic<Value: Sendable>(_ value: Value, completion: @escaping GenericHandler<Value>) {
        completion(value, nil)
    }

    @Bridged(aliases: ["GenericHandler<Value>": "(Value?, (any Error)?) -> Void"])
    func among<Value: Sendable>(_ value: Value, completion: @escaping GenericHandler<Value>) { completion(value, nil) }

    // MARK: An alias of what a handler gets

    @Bridged(delivers: ((Result<Int, any Error>) -> Void).self)
    func result(_ id: Int, completion: @escaping (LoadResult) -> Void) { completion(.failure(Fault(code: id))) }

    @Bridged(aliases: ["LoadResult": Result<Int, any Error>.self])
    func named(completion: @escaping (LoadResult) -> Void) { completion(.success(4)) }

    @Bridged(aliases: ["Answered": Int?.self])
    func answered(completion: @escaping (Answered, (any Error)?) -> Void) { completion(5, nil) }

    // MARK: Errors

    @Bridged(aliases: ["Fault": (any Error).self])
    func fault(completion: @escaping (Int?, Fault?) -> Void) { completion(nil, Fault(code: 6)) }

    @Bridged(aliases: ["Fault": (any Error).self])
    func faults(success: @escaping (Int) -> Void, failure: @escaping (Fault) -> Void) { failure(Fault(code: 7)) }

    @Bridged(.unchecked, aliases: ["Fault": (any Error).self])
    func picture(completion: @escaping (Picture?, Fault?) -> Void) { completion(nil, Fault(code: 8)) }

    @Bridged(.values)
    func last(completion: @escaping (LastError) -> Void) { completion(LastError(code: 9)) }

    @Bridged(.values)
    func both(completion: @escaping (Int, LastError?) -> Void) { completion(10, nil) }

    // MARK: Names that say something else

    @Bridged(completion: "retryHandler")
    func retry(retryHandler: @escaping (Int) -> Void) { retryHandler(11) }

    @Bridged(.cancel { $0?.stop() })
    func perhaps(completion: @escaping (Int) -> Void) -> Job? {
        completion(12)
        return nil
    }

    @Bridged(.cancel { $0() })
    func stopping(completion: @escaping (Int) -> Void) -> () -> Void {
        completion(13)
        return {}
    }
}

/// Handlers with an alias that mentions the parameter of the type.
@BridgedMembers(aliases: ["Handler": "(Value?, (any Error)?) -> Void"])
struct Box<Value: Sendable> {
    typealias Handler = (Value?, (any Error)?) -> Void

    var value: Value

    func open(completion: @escaping Handler) { completion(self.value, nil) }
}

/// Types that hide those of the standard library.
enum Shadowing {
    enum Result<Value: Sendable>: Sendable {
        case done(Value)
        case failed
    }

    struct Error: Sendable {}

    struct Loader: Sendable {
        @Bridged(.values)
        func load(completion: @escaping (Result<Int>) -> Void) { completion(.done(15)) }

        @Bridged(.values)
        func fail(completion: @escaping (Int?, Error?) -> Void) { completion(16, nil) }

        @Bridged
        func find(completion: @escaping (Swift.Result<Int, any Swift.Error>) -> Void) { completion(.success(17)) }

        @Bridged(.unchecked)
        func picture(completion: @escaping (Picture?, (any Swift.Error)?) -> Void) { completion(Picture(), nil) }

        @Bridged
        func wait() async throws -> Result<Int> { .done(18) }
    }
}

/// Nothing in its expansion warns: an operation of a protocol must not mention `Self`.
@BridgedProtocol
protocol Waiter {
    associatedtype Item

    @Bridged(.unchecked)
    func wait(_ id: Int) async throws -> Int

    @Bridged(.unchecked)
    func item(_ picture: sending Picture) async -> Item

    @Bridged(.unchecked)
    func end() async

    @Bridged(.unchecked)
    static func first() async -> Int
}

class SlowWaiter: Waiter {
    init() {}

    func wait(_ id: Int) async throws -> Int { id }

    func item(_ picture: sending Picture) async -> Picture { picture }

    func end() async {}

    static func first() async -> Int { 20 }
}

protocol Shelved {}

class Shelf<Item: Shelved> {
    init() {}

    @Bridged(.unchecked)
    func count<Other: Shelved>(_ other: Other.Type, _ text: @autoclosure () throws -> String) async -> Int { 21 }
}

extension Fault: Shelved {}

enum Aliases {
    static func results() async throws -> [String] {
        let aliased = Aliased()
        var codes: [Int] = []
        do { _ = try await aliased.result(3) } catch let error as Fault { codes.append(error.code) }
        do { _ = try await aliased.fault() } catch let error as Fault { codes.append(error.code) }
        do { _ = try await aliased.faults() } catch let error as Fault { codes.append(error.code) }
        do { _ = try await aliased.picture() } catch let error as Fault { codes.append(error.code) }
        let loader = Shadowing.Loader()
        var shadowing = [try await loader.fail().0 ?? 0, try await loader.find(), try await loader.picture().width]
        if case .done(let value) = try await loader.load() { shadowing.append(value) }
        let waited = try await withCallback { callback in loader.wait(completion: callback.handler()) }
        if case .done(let value) = waited { shadowing.append(value) }
        let waits = [
            try await withCallback { callback in SlowWaiter().wait(19, completion: callback.handler()) },
            try await withCallback { callback in SlowWaiter.first(completion: callback.handler()) },
            try await withCallback { Shelf<Fault>().count(Fault.self, "", completion: $0.handler()) },
        ]
        return [
            "\(try await aliased.generic(1))", "\(try await aliased.among(2))", "\(codes)",
            "\(try await aliased.named())", "\(try await aliased.answered())", "\(try await aliased.last().code)",
            "\(try await aliased.both().0)", "\(try await aliased.retry())", "\(try await aliased.perhaps())",
            "\(try await aliased.stopping())", "\(try await Box(value: 14).open())", "\(shadowing)", "\(waits)",
        ]
    }
}
#endif
