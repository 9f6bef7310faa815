// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if !canImport(Darwin)
import Foundation

/// A delegate queue that runs what it is given at once, on the session's own queue.
///
/// Otherwise pieces of a body that come faster than the delegate takes them would pile up in the queue.
///
/// Safe: adds nothing to a class that is `Sendable`.
final class InPlaceQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}
#endif
