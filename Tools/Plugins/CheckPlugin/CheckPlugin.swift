// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import PackagePlugin

/// `swift package asyncbridge-check`: checks the sources of the package's targets.
///
/// It writes nothing and needs no network. Arguments go to `asyncbridge check`.
@main
struct CheckPlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        let folders = context.package.targets.compactMap { $0 as? SwiftSourceModuleTarget }
            .filter { arguments.contains("--tests") || $0.kind != .test }
            .map { $0.directoryURL.path(percentEncoded: false) }
        let process = Process()
        process.executableURL = try context.tool(named: "asyncbridge").url
        process.arguments = ["check"] + folders + arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            Diagnostics.error("asyncbridge check ended with \(process.terminationStatus)")
            return
        }
    }
}
