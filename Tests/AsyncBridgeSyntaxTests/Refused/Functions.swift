// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeMacros

class Superclass {
    @Bridged
    init(completion: @escaping (Int) -> Void) {}

    @Bridged
    func returnsOther(completion: @escaping (Int) -> Void) -> Bool { true }

    @Bridged
    func packs<each Value: Sendable>(_ values: (repeat each Value), completion: @escaping (Int) -> Void) {}

    @Bridged
    func returnsNumber(completion: @escaping (Int) -> Void) -> Int32 { 1 }

    @Bridged(timeout: .seconds(1))
    func returnsClosure(completion: @escaping (Int) -> Void) -> () -> Void { {} }

    @Bridged
    func request(completion: @escaping (Int) -> Void) -> URLRequest { URLRequest() }

    @Bridged
    func variadic(_ values: Int..., completion: @escaping (Int) -> Void) {}

    @Bridged
    func pack<each P: Sendable>(_ values: repeat each P, completion: @escaping (Int) -> Void, _ last: Int) {}

    @Bridged
    override func overriding(completion: @escaping (Int) -> Void) {}

    @Bridged
    @available(*, unavailable, message: "Gone")
    func unavailable(completion: @escaping (Int) -> Void) {}

    @Bridged
    static func ~> (left: Superclass, right: @escaping (Int) -> Void) {}

    func outer() {
        @Bridged
        func local(completion: @escaping (Int) -> Void) {}
    }
}

struct Single: ~Copyable {
    @Bridged
    consuming func close(completion: @escaping () -> Void) {}

    @Bridged
    func look() async {}

    @Bridged(.future)
    static func made() async -> Single? {}
}

struct Owning {
    @Bridged
    func takes(_ value: consuming Value, completion: @escaping () -> Void) {}

    @Bridged
    func sends(_ body: sending () -> Void, completion: @escaping () -> Void) {}

    @Bridged(.publisher)
    func shares(_ value: sending Value, completion: @escaping () -> Void) {}

    @Bridged(.future)
    mutating func sharesItself(completion: @escaping () -> Void) {}

    @Bridged
    func waits(_ text: @autoclosure () async -> String) async {}
}

struct Value {
    @Bridged
    func changes(_ count: inout Int) async {}

    @Bridged
    mutating func change() async {}

    @Bridged
    func opaque() async -> some Sequence {}
}

@Bridged
protocol Wrong {
    func load(completion: @escaping (Int) -> Void)
}

protocol Requirements {
    @Bridged
    func load(completion: @escaping (Int) -> Void)
}

@BridgedProtocol
protocol Nothing {
    func load()
}

protocol NotEscaping {
    @Bridged
    func load(completion: (Int) -> Void)
}

@BridgedProtocol
protocol NotEscapingEither {
    func load()
    func find(completion: (Int) -> Void)
}

@BridgedProtocol
@objc protocol Optional {
    @Bridged
    @objc optional func load(completion: @escaping (Int) -> Void)
}

distributed actor Remote {
    @Bridged
    distributed func load() async -> Int { 0 }
}

enum Swift {
    struct Inner {
        @Bridged
        func load() async -> Int { 0 }
    }
}

distributed actor Remote {
    @Bridged
    func read() async -> Int { 0 }
}

@Bridged
func cancel(byProducing completion: @escaping (Int) -> Void) {}
