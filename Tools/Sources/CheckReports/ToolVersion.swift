// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The version of the tool, which is the package's: `Scripts/release` compares it with CHANGELOG.md.
package enum ToolVersion {
    package static let current = "0.1.0"
}
