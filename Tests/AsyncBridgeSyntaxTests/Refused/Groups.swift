// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeMacros

@BridgedMembers
protocol Requirements {
    func load(completion: @escaping (Int) -> Void)
}

@BridgedMembers(except: "save")
struct Unknown {
    func load(completion: @escaping (Int) -> Void) {}
}

@BridgedMembers
struct Nothing {
    func load(_ values: Int..., completion: @escaping (Int) -> Void) {}
}

@BridgedMembers
final class Unsafe {
    func load() async {}
}

@BridgedMembers
struct Observing {
    func onChange(handler: @escaping (Int) -> Void) {}
}

@BridgedMembers
struct UnclearMembers {
    func each(perform action: @escaping (Int) -> Void) {}
}

@BridgedMembers(aliases: ["Hanlder": ((Int) -> Void).self])
struct MisspeltAlias {
    func load(completion: @escaping Handler) {}
}

struct Around {
    @BridgedProtocol
    private protocol Hidden {
        func load(completion: @escaping (Int) -> Void)
    }
}
