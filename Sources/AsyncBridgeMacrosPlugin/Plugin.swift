// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// What the compiler starts to expand the macros of `AsyncBridgeMacros`.
@main
struct Plugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        BridgedMacro.self, BridgedMembersMacro.self, BridgedProtocolMacro.self, DelegateEventsMacro.self,
        DelegateBodyMacro.self, DelegateReplyMacro.self,
    ]
}
#else
/// Without the package trait `Macros` there is nothing to expand.
@main
struct Plugin {
    static func main() {}
}
#endif
