// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What builds have told of one twin: kept in a file, so that a run that was stopped need not build it all again.
package struct ResumePoint: Codable, Sendable, Hashable {
    private var path: String
    private var title: String
    /// Of the function as it was then: nothing is known of another one.
    private var signature: String
    private var isUnchecked: Bool
    private var isRenamed: Bool
    private var errors: [String]?

    private init(_ function: PlannedFunction) {
        path = function.path
        title = function.title
        signature = function.signature
        isUnchecked = function.rung.isUnchecked
        isRenamed = function.rung.isRenamed
        errors = function.rung.errors
    }

    /// What is known of the twins that have gone down.
    package static func all(of functions: [PlannedFunction]) -> [ResumePoint] {
        functions.filter { $0.isTwin && $0.rung != Rung() }.map { ResumePoint($0) }
    }

    /// Takes twins as far down as they were.
    package static func apply(_ points: [ResumePoint], to functions: inout [PlannedFunction]) {
        let known = Dictionary(points.map { ("\($0.path) \($0.title) \($0.signature)", $0) }) { first, _ in first }
        guard !known.isEmpty else { return }
        for index in functions.indices where functions[index].isTwin {
            let function = functions[index]
            guard let point = known["\(function.path) \(function.title) \(function.signature)"] else { continue }
            functions[index].rung.isUnchecked = point.isUnchecked
            functions[index].rung.isRenamed = point.isRenamed
            functions[index].rung.errors = point.errors
        }
    }
}
