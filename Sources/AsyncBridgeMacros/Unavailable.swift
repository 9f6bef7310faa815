// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// The macros without the package trait that brings them: a use says which trait it needs. The compiler wants a macro
// that exists, even so. This one comes with each toolchain, and adds nothing to a function or a type.

#if !Macros
@_documentation(visibility: internal)
@available(*, unavailable, message: "needs the package trait 'Macros': .package(…, traits: [\"Macros\"])")
@attached(peer)
public macro Bridged(
    _ options: BridgedOption...,
    completion: StaticString = "",
    delivers: Any = Never.self,
    aliases: KeyValuePairs<StaticString, Any> = [:],
    timeout: BridgeTimeout? = nil,
    ifInterrupted: Any? = nil
) = #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")

@_documentation(visibility: internal)
@available(*, unavailable, message: "needs the package trait 'Macros': .package(…, traits: [\"Macros\"])")
@attached(peer)
public macro BridgedAs(
    _ name: StaticString,
    _ options: BridgedOption...,
    completion: StaticString = "",
    delivers: Any = Never.self,
    aliases: KeyValuePairs<StaticString, Any> = [:],
    timeout: BridgeTimeout? = nil,
    ifInterrupted: Any? = nil
) = #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")

@_documentation(visibility: internal)
@available(*, unavailable, message: "needs the package trait 'Macros': .package(…, traits: [\"Macros\"])")
@attached(peer)
public macro BridgedMembers(
    except names: StaticString...,
    aliases: KeyValuePairs<StaticString, Any> = [:]
) = #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")

@_documentation(visibility: internal)
@available(*, unavailable, message: "needs the package trait 'Macros': .package(…, traits: [\"Macros\"])")
@attached(peer)
public macro BridgedProtocol(
    except names: StaticString...,
    aliases: KeyValuePairs<StaticString, Any> = [:]
) = #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")

@_documentation(visibility: internal)
@available(*, unavailable, message: "needs the package trait 'Macros': .package(…, traits: [\"Macros\"])")
@attached(peer)
public macro DelegateEvents(_ options: DelegateOption...) =
    #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")

@_documentation(visibility: internal)
@available(*, unavailable, message: "needs the package trait 'Macros': .package(…, traits: [\"Macros\"])")
@attached(peer)
public macro DelegateReply() = #externalMacro(module: "ObservationMacros", type: "ObservationTrackedMacro")
#endif
