// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeMacros

struct Arguments {
    @Bridged(options)
    func unknown(completion: @escaping (Int) -> Void) {}

    @Bridged(.cancel(stop))
    func closureElsewhere(completion: @escaping (Int) -> Void) -> Job {}

    @BridgedAs("load\(1)")
    func interpolated(completion: @escaping (Int) -> Void) {}

    @Bridged(completion: "done")
    func noSuchParameter(completion: @escaping (Int) -> Void) {}

    @Bridged(delivers: Int.self)
    func noFunction(completion: @escaping Handler) {}

    @Bridged(delivers: ((Int) -> Void).self)
    func whichAlias(_ first: @escaping Handler, _ second: @escaping Handler) {}

    @Bridged(ifInterrupted: 0)
    func fails(completion: @escaping (Int?, Error?) -> Void) {}

    @Bridged(ifInterrupted: 0)
    func throwing(completion: @escaping (Int) -> Void) throws {}

    @Bridged(ifInterrupted: 0)
    func isAsyncWithAFallback() async -> Int { 1 }

    @Bridged(ifInterrupted: 0)
    func throwingAutoclosure(_ value: @autoclosure () throws -> Int, completion: @escaping (Int) -> Void) {}

    @Bridged(.optional)
    func noOptional(completion: @escaping (Int) -> Void) {}

    @Bridged(.optional)
    func isAsync() async {}

    @Bridged(.unchecked, .future)
    func shares(completion: @escaping (Picture) -> Void) {}

    @Bridged(.nonsending)
    func isolatedByAParameter(actor: isolated (any Actor)? = #isolation, completion: @escaping (Int) -> Void) {}

    @Bridged(completion: "then")
    func expression(then: @autoclosure @escaping () -> Void) {}

    @Bridged(completion: "then")
    func changed(then: inout (Int) -> Void) {}

    @Bridged(.cancel { job in job?.stop() })
    func named(completion: @escaping (Int) -> Void) -> Job {}

    @Bridged(
        aliases: [
            "Success": ((Count) -> Void).self,
            "Count": Int.self,
        ]
    )
    func trailingComma(success: @escaping Success, failure: @escaping (any Fault) -> Void) {}

    @Bridged(aliases: handlers)
    func aliasesElsewhere(completion: @escaping Handler) {}

    @Bridged(aliases: ["Handler": "(Int -> Void"])
    func noType(completion: @escaping Handler) {}

    @Bridged(delivers: "Int")
    func noFunctionText(completion: @escaping Handler) {}

    @Bridged(.cancel { $0?.stop() })
    func notOptional(completion: @escaping (Int) -> Void) -> Job {}

    @Bridged(.values)
    func isAsyncToo() async {}

    @Bridged(.cancel { $0.stop() })
    func returnsNothing(completion: @escaping (Int) -> Void) {}

    @Bridged(.cancel(nil))
    func returnsVoid(completion: @escaping (Int) -> Void) -> (Void) {}

    @Bridged(aliases: ["Hanlder": ((Int) -> Void).self])
    func misspelt(completion: @escaping Handler) {}

    @Bridged(aliases: ["Handler": ((Int) -> Void).self])
    func writtenInFull(completion: @escaping Request.Handler) {}

    @Bridged
    func anyInParentheses(completion: @escaping (Int) -> Void) -> (any Stoppable)? { nil }

    @Bridged(.values)
    func valuesAnyway(completion: @escaping (Int, String) -> Void) {}

    @BridgedAs("load", .asyncSuffix)
    func twoNames(completion: @escaping (Int) -> Void) {}

    @BridgedAs("2x y")
    func noIdentifier(completion: @escaping (Int) -> Void) {}

    @BridgedAs("load(id:)")
    func labelled(completion: @escaping (Int) -> Void) {}
}

@MainActor
struct OnTheMainActor {
    @Bridged(.nonsending)
    func isolated(completion: @escaping (Int) -> Void) {}
}
