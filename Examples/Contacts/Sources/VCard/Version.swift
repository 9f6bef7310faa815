// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The versions of the format that are read.
///
/// The last one is written.
enum Version: String {
    /// By the Versit consortium, 1996: what telephones and Outlook still export.
    case two = "2.1"
    /// RFC 2426.
    case three = "3.0"
    /// RFC 6350.
    case four = "4.0"
}
