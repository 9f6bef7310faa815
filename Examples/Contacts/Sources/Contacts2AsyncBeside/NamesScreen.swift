// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge

/// The new client, for which the work began: a list that is refreshed by an async action.
package struct NamesScreen {
    private let asyncLoader: AsyncAwaitWrapper<[String], any Error>

    package init(loader: any UsersNamesLoader) {
        self.asyncLoader = AsyncAwaitWrapper(loader: loader.load)
    }

    /// The action.
    package func refresh() async -> Result<[String], any Error> {
        await self.asyncLoader.load()
    }
}
