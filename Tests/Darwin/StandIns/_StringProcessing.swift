// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Stands in for _StringProcessing, which the compiler imports into every file: what the package uses of it.

extension StringProtocol {
    public func contains(_ other: some StringProtocol) -> Bool { fatalError() }
}
