// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncTwins
import CheckReports
import ExactlyOnce
import Foundation

/// Reads a package, and plans its twins.
struct PackageReader {
    /// What was read.
    struct Package {
        var modules: [PackageModules.Module]
        var files: [FileFacts] = []
        /// The files with twins, by their paths, as they are now.
        var overlays: [String: String] = [:]
        var failures: [Report.Failure] = []
    }

    var jobs: Int
    var progress: Progress
    var apis: APITable
    var takesInternal: Bool
    var form: Wrap.Form

    func read(_ modules: [PackageModules.Module]) -> Package {
        let inputs = modules.flatMap { module in module.files.map { (module, $0) } }
        let parts = Parallel.map(inputs, jobs: jobs) { module, input in
            defer { progress.advance(of: 2 * inputs.count) }
            return read(input, of: module)
        }
        var package = Package(modules: modules)
        for part in parts {
            package.files += part.files
            package.overlays.merge(part.overlays) { first, _ in first }
            package.failures += part.failures
        }
        return package
    }

    private func read(_ input: Inputs.Input, of module: PackageModules.Module) -> Package {
        var part = Package(modules: [])
        guard var text = input.read() else {
            part.failures = [Report.Failure(path: input.path, message: input.message)]
            return part
        }
        // What another form of this command has written is there to stay.
        if form != .macros, module.isOverlay(input.path) == (form == .overlay) {
            let overlay = OverlayFile(text)
            if overlay.hasBlocks {
                part.overlays[input.path] = text
                text = overlay.withoutBlocks
            }
        }
        if let place = SourceFile.tooDeepBracket(in: text) {
            let message = "brackets are nested too deep here: the file is not looked at"
            part.failures = [Report.Failure(path: input.path, location: place, message: message)]
            return part
        }
        let file = SourceFile(path: input.path, source: text, nesting: Parallel.nesting)
        if let offset = file.firstSyntaxError {
            let message = "the file cannot be parsed; what is found in it may be incomplete"
            part.failures = [Report.Failure(path: input.path, location: file.location(of: offset), message: message)]
        }
        part.files = [FileFacts(file, module: module.name, apis: apis)]
        return part
    }

    func plan(_ package: Package) -> Plan {
        defer { progress.end() }
        let planner = Planner(
            package.files,
            apis: apis,
            takesInternal: takesInternal,
            takesPrivate: takesInternal && form != .overlay,
            writesMacros: form == .macros
        )
        let functions = Parallel.map(package.files, jobs: jobs) { file in
            defer { progress.advance(of: 2 * package.files.count) }
            return planner.functions(in: file)
        }
        return planner.plan(functions.flatMap(\.self), package.files)
    }
}
