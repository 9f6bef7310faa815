// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// Macros that write bridges, without the trait that brings them.
//
// error: 'Bridged(_:completion:delivers:aliases:timeout:ifInterrupted:)' is unavailable: needs the package trait
//   'Macros': .package(…, traits: ["Macros"])
// error: 'BridgedAs(_:_:completion:delivers:aliases:timeout:ifInterrupted:)' is unavailable: needs the package trait
//   'Macros': .package(…, traits: ["Macros"])
// error: 'BridgedMembers(except:aliases:)' is unavailable: needs the package trait 'Macros': .package(…, traits:
//   ["Macros"])
// error: 'BridgedProtocol(except:aliases:)' is unavailable: needs the package trait 'Macros': .package(…, traits:
//   ["Macros"])
// error: 'DelegateEvents' is unavailable: needs the package trait 'Macros': .package(…, traits: ["Macros"])
// error: 'DelegateReply()' is unavailable: needs the package trait 'Macros': .package(…, traits: ["Macros"])

import AsyncBridgeMacros

struct Api {
    @Bridged(.unchecked, timeout: .seconds(1))  // <-
    func load(completion: @escaping @Sendable (Int) -> Void) {}

    @BridgedAs("store")  // <-
    func save(completion: @escaping @Sendable (Int) -> Void) {}
}

@BridgedMembers  // <-
extension Api {}

@BridgedProtocol  // <-
protocol Loader {}

@DelegateEvents  // <-
final class Events: Sendable {
    @DelegateReply  // <-
    func answered() {}
}
