// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// A view of a URL session for async code.
///
/// Made by `session.bridge`. It holds the session and nothing else.
///
/// ## Foundation's own methods
/// `URLSession.data(for:)` and similar methods behave correctly on Apple's systems. On Linux, with Swift 6.3.1, they
/// can hang forever, or end the process, when their task is cancelled just as the answer comes
/// (swift-corelibs-foundation 5412 and 3296); these cannot.
///
/// ## Passwords
/// On Linux ``data(for:fileID:line:)`` and the uploads wait forever when a server asks for a password
/// (`WWW-Authenticate: Basic`) and the session has none. See <doc:Transfers>.
///
/// ## Cancellation
/// Every call ends with `CancellationError` at once, whether it has begun, connects or is in the middle of a body.
/// ``TransferCancellation`` says what happens to the transfer.
public struct BridgedURLSession: Sendable {
    /// The underlying session.
    public let session: URLSession

    /// What happens to a transfer that no caller waits for any more.
    public let cancellation: TransferCancellation
}
