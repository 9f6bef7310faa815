// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import SwiftSyntax

extension FunctionParameterSyntax {
    /// What the function itself calls the parameter.
    var innerName: TokenSyntax { secondName ?? firstName }
}
