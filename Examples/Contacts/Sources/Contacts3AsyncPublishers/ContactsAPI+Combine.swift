// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeCombine
import AsyncBridgeFutures
package import ContactsModel
package import OpenCombineShim

extension ContactsAPI {
    /// The contacts, for clients that use Combine.
    package func fetchContacts() -> AnyPublisher<[Contact], any Error> {
        TaskPublisher { try await self.fetchContacts() }
            .receive(on: self.queue.forPublishers)
            .eraseToAnyPublisher()
    }
}
