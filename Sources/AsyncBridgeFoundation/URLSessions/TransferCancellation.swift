// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What happens to a transfer when no caller waits for it any more.
///
/// In every case the call itself ends at once, with `CancellationError`.
///
/// ## Linux
/// On Linux `URLSessionTask.cancel()` occasionally ends the *process*, if the answer comes at that moment
/// (swift-corelibs-foundation 3296; `Scripts/reproduce-urlsession` shows it with Swift 6.3.1). It races with the lookup
/// in the session's `urlCache`, which only data and upload tasks do. So ``standard`` cuts transfers in sessions without
/// a cache, and downloads, and abandons all others:
///
/// ```swift
/// let configuration = URLSessionConfiguration.default
/// configuration.urlCache = nil
/// let session = URLSession(configuration: configuration)
/// ```
public struct TransferCancellation: Sendable, Hashable {
    enum Kind: Hashable {
        case standard
        case cancel
        case abandon
    }

    let kind: Kind

    /// Cancels the transfer where that is safe, and abandons it elsewhere: on Linux, in a session with a cache.
    public static var standard: Self { Self(kind: .standard) }

    /// Cancels the transfer: Foundation closes its connection.
    ///
    /// On Linux, in a session with a cache, this may end the process.
    public static var cancel: Self { Self(kind: .cancel) }

    /// Lets the transfer run to its end, or until it times out, and discards its data.
    ///
    /// See ``abandonedCount``.
    public static var abandon: Self { Self(kind: .abandon) }

    /// How many transfers of this program were abandoned and still run.
    ///
    /// - Complexity: O(1).
    public static var abandonedCount: Int { Transfer.abandonedCount }
}

extension TransferCancellation: CustomStringConvertible {
    /// The policy in a word.
    public var description: String {
        switch self.kind {
        case .standard: "standard"
        case .cancel: "cancel"
        case .abandon: "abandon"
        }
    }
}

extension TransferCancellation {
    /// Tells whether a transfer is cancelled, rather than abandoned.
    ///
    /// Ask before the transfer starts, and again when it is cancelled: on Linux the owner of the session may change its
    /// cache in between.
    func cuts(_ task: URLSessionTask, of session: URLSession) -> Bool {
        switch self.kind {
        case .cancel: return true
        case .abandon: return false
        case .standard:
            #if canImport(Darwin)
            return true
            #else
            // Race: after `resume` a data task waits for its cache. A `cancel` meanwhile waits there as well, and may
            // come out after the answer, when the session has forgotten the task.
            return session.configuration.urlCache == nil || !(task is URLSessionDataTask)
            #endif
        }
    }
}
