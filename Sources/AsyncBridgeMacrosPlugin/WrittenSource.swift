// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeSyntax

/// Whether the compiler reads `Swift::Result`: it is the one that this was compiled with.
var selectsModules: Bool {
    #if compiler(>=6.3)
    true
    #else
    false
    #endif
}

extension String {
    /// What the generator has written, as the compiler gets it.
    var written: String { selectsModules ? ModuleSelectors.written(in: self) : self }
}
#endif
