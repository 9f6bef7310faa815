// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation

extension Operation {
    /// Keeps a cancelled operation until its dependencies have ended.
    ///
    /// On Linux they refer to it and do not keep it. An operation that is cancelled does not wait for them: it may be
    /// finished and gone when they end, which then ends the program.
    func keepUntilDependenciesEnd() {
        #if !canImport(Darwin)
        let dependencies = self.dependencies
        guard !dependencies.isEmpty else { return }
        let keeper = BlockOperation { withExtendedLifetime(self) {} }
        for dependency in dependencies { keeper.addDependency(dependency) }
        Self.keepers.addOperation(keeper)
        #endif
    }

    #if !canImport(Darwin)
    /// A queue keeps its operations.
    private static let keepers = OperationQueue()
    #endif
}
