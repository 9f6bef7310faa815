// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeMacros

typealias Handler = (Int?, (any Error)?) -> Void

struct Completions {
    @Bridged
    func nothing(_ value: Int) -> Int { value }

    @Bridged
    func transforms(_ values: [Int], _ transform: (Int) -> Int) {}

    @Bridged
    func several(completion: @escaping (Int) -> Void, callback: @escaping (Int) -> Void) {}

    @Bridged
    func aliased(completion: @escaping Handler) {}

    @Bridged(.nonsending)
    func aliasedByType(_ block: Api.CompletionBlock?) {}

    @Bridged
    func notEscaping(completion: (Int) -> Void) {}

    @Bridged
    func returns(completion: @escaping (Int) -> Bool) {}

    @Bridged
    func suspends(completion: @escaping (Int) async throws -> Void) {}

    @Bridged
    func errorAlone(completion: @escaping (any Error) -> Void) {}

    @Bridged
    func missingTwice(completion: @escaping (Int?, (any Error)??) -> Void) {}

    @Bridged
    func missingTwiceInAPair(success: @escaping (Int) -> Void, failure: @escaping ((any Error)??) -> Void) {}

    @Bridged
    func resultMissingTwice(completion: @escaping (Result<Int, any Error>??) -> Void) {}

    @Bridged
    func severalFailures(completion: @escaping (Int?, [any Error]?) -> Void) {}

    @Bridged
    func failureWithoutError(success: @escaping (Int) -> Void, failure: @escaping () -> Void) {}

    @Bridged
    func sevenValues(completion: @escaping (Int?, Int?, Int?, Int?, Int?, Int?, Int?, Error?) -> Void) {}

    @Bridged
    func nests(completion: @escaping (Int, @escaping (Bool) -> Void) -> Void) {}

    @Bridged
    func cancel(byProducingData completion: @escaping (Int) -> Void) {}

    @Bridged
    func changes(completion: @escaping (inout Int) -> Void) {}

    @Bridged
    func twoErrors(completion: @escaping (Error?, (any Error)?) -> Void) {}

    @Bridged
    func function(completion: @escaping @convention(c) (Int) -> Void) {}

    @Bridged
    func failsByAlias(success: @escaping (Int) -> Void, failure: FailureHandler?) {}

    @Bridged
    func bothByOneAlias(success: @escaping Handler, failure: @escaping Handler) {}

    @Bridged(delivers: ((Int) -> Bool).self)
    func returnsByAlias(completion: @escaping Handler) {}

    @Bridged(aliases: ["Success": ((Int) -> Void).self], timeout: .seconds(1))
    func failsByFault(success: @escaping Success, failure: @escaping (Fault) -> Void) {}

    @Bridged
    func failsOtherwise(success: @escaping (Int) -> Void, failure: @escaping (Fault) -> Void) {}

    @Bridged(timeout: .seconds(1))
    func called(retryHandler: @escaping (Int) -> Void) {}

    @Bridged
    func otherResult(completion: @escaping (Result<Int>) -> Void) {}

    @Bridged
    func throwing(completion: @escaping (() throws -> Int) -> Void) {}

    @Bridged
    func single(completion: @escaping (consuming Single) -> Void) {}

    @Bridged
    func aliasedGeneric<T>(_ type: T.Type, completion: @escaping GenericHandler<T>) {}

    @Bridged
    func pack<each T>(_ values: repeat each T, completion: @escaping (repeat each T) -> Void) {}

    @Bridged
    func threeWithTwoErrors(completion: @escaping (Int?, Error?, ParseError?) -> Void) {}

    @Bridged
    func resultBesideValue(completion: @escaping (Result<Int, any Error>, Int) -> Void) {}

    @Bridged
    func errorBesideValue(completion: @escaping (Int, ParseError) -> Void) {}

    @Bridged(aliases: ["Outcome": Result<Int, any Error>.self])
    func resultBesideError(completion: @escaping (Outcome?, (any Error)?) -> Void) {}

    @Bridged
    func successWithError(success: @escaping (Int, Error?) -> Void, failure: @escaping (Error) -> Void) {}

    @Bridged
    func login(callbackURL: URL, callbackQueue: DispatchQueue, then done: @escaping LoginDone) {}

    @Bridged
    func special<E: SpecialError>(completion: @escaping (Result<Int, E>) -> Void) {}

    @Bridged
    func tuple(callback: @escaping (([Int]?, Error?)) -> ()) {}

    @Bridged(aliases: ["Kit.Done": Kit.Reply.self, "Kit.Reply": Kit.Done.self])
    func circle(completion: @escaping Kit.Done) {}
}
