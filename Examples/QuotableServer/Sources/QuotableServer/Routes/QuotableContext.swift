// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Hummingbird
import NIOCore
import ServerSupport

/// What is known of a request besides itself.
struct QuotableContext: ConnectionContext {
    var coreContext: CoreRequestContextStorage
    /// The client's, without its port; nil where there is no network.
    let clientAddress: String?
    /// The client's, for `Departures`; nil where there is no network.
    let connection: ObjectIdentifier?

    init(source: ApplicationRequestContextSource) {
        self.coreContext = .init(source: source)
        self.clientAddress = source.channel.remoteAddress?.ipAddress
        self.connection = Self.connection(of: source)
    }

    var responseEncoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
