// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What becomes of a transfer when nobody waits for it any more.
///
/// Whatever it is, the call itself ends at once, with `CancellationError`.
///
/// On Linux Foundation's `URLSessionTask.cancel()` ends the *process* now and then, when the answer comes at that moment
/// (swift-corelibs-foundation 3296; with Swift 6.3.1 `Scripts/reproduce-urlsession` shows it). So ``standard`` is
/// ``abandon`` there, and ``cancel`` on Apple's systems.
public struct TransferCancellation: Sendable, Hashable {
    enum Kind: Hashable {
        case cancel
        case abandon
    }

    let kind: Kind

    /// Cancels the transfer: Foundation closes its connection.
    public static var cancel: Self { Self(kind: .cancel) }

    /// Lets the transfer run to its end, or into its timeout, and swallows what it brings.
    ///
    /// See ``abandonedCount``.
    public static var abandon: Self { Self(kind: .abandon) }

    /// The best that is safe: ``cancel`` on Apple's systems, ``abandon`` elsewhere.
    public static var standard: Self {
        #if canImport(Darwin)
        .cancel
        #else
        .abandon
        #endif
    }

    /// How many transfers of this program were abandoned and still run.
    ///
    /// - Complexity: O(1).
    public static var abandonedCount: Int { Transfer.abandonedCount }
}

extension TransferCancellation: CustomStringConvertible {
    /// The policy in a word.
    public var description: String {
        switch self.kind {
        case .cancel: "cancel"
        case .abandon: "abandon"
        }
    }
}
