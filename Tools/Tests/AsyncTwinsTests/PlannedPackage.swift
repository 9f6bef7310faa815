// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeSyntax
import AsyncTwins
import ExactlyOnce
import Foundation

/// A package of a test, planned.
struct PlannedPackage {
    let facts: [FileFacts]
    var plan: Plan

    /// Plans files of one module, or of those that paths name: `Module/File.swift`.
    init(
        _ files: [String: String],
        apis: APITable = .standard,
        takesInternal: Bool = false,
        takesPrivate: Bool = false
    ) {
        facts = files.sorted { $0.key < $1.key }.map { path, text in
            let module = path.contains("/") ? String(path.prefix { $0 != "/" }) : "App"
            return FileFacts(SourceFile(path: path, source: text), module: module, apis: apis)
        }
        let planner = Planner(facts, apis: apis, takesInternal: takesInternal, takesPrivate: takesPrivate)
        plan = planner.plan(facts.flatMap(planner.functions), facts)
    }

    init(_ text: String, takesInternal: Bool = false) { self.init(["a.swift": text], takesInternal: takesInternal) }

    /// What becomes of each function, by its title.
    var states: [String: String] {
        Dictionary(plan.functions.map { ($0.title, $0.decision.word) }) { first, second in "\(first), \(second)" }
    }

    /// The signature of each twin, by the title of its function.
    var twins: [String: String] {
        Dictionary(plan.functions.compactMap { function in function.twin.map { (function.title, $0.signature) } }) {
            "\($0), \($1)"
        }
    }

    /// The file with the twins of a file.
    func overlay(of path: String = "a.swift", existing: String? = nil) -> String? {
        var functions = plan.functions
        let indices = plan.twins(of: path)
        let writer = writer(of: path, existing: existing)
        writer.adopt(&functions, indices)
        return writer.text(of: indices.map { functions[$0] })
    }

    func writer(of path: String = "a.swift", existing: String? = nil) -> OverlayWriter {
        let imports = facts.first { $0.file.path == path }?.imports ?? []
        return OverlayWriter(source: path, imports: imports, existing: existing)
    }

    /// A file of declarations beside the tests.
    static func declarations(_ name: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        return try String(contentsOf: folder.appending(path: "Declarations/\(name).swift"), encoding: .utf8)
    }
}
