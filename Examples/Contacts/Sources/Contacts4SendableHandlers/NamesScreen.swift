// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The new client, for which the work began: a list that is refreshed by an async action.
package struct NamesScreen: Sendable {
    private let loader: any UsersNamesLoader

    package init(loader: any UsersNamesLoader) {
        self.loader = loader
    }

    /// The action.
    package func refresh() async throws -> [String] {
        try await self.loader.load()
    }
}
