// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What somebody has written into a block, and what is in a file no longer.
package struct LostEdit: Sendable {
    /// The function of the block.
    package let title: String
    /// The block as it was.
    package let text: String
    /// Whether it was edited for certain.
    private let isCertain: Bool
    private let reason: Reason

    private enum Reason: String {
        case functionChanged = "its function has changed. Do it again, in the new block:"
        case doesNotCompile = "it did not compile as it was. Do it again, in the new block:"
        case isGone = "its function is gone, or needs none any more. It was:"
    }

    /// What to say of it, and the text.
    package var words: String {
        let edited = isCertain ? "was edited" : "may have been edited"
        return "the block of \(title) \(edited), and \(reason.rawValue)\n\(text)"
    }

    fileprivate init(_ block: OverlayBlock, in blocks: [OverlayBlock]) {
        title = block.marker.title
        text = block.text
        isCertain = block.isEdited == true
        let same = blocks.filter { $0.marker.title == block.marker.title }
        if same.contains(where: { $0.marker.signature == block.marker.signature }) {
            reason = .doesNotCompile
        } else {
            // Labels may have changed, too.
            reason = blocks.contains { $0.marker.name == block.marker.name } ? .functionChanged : .isGone
        }
    }
}

extension OverlayFile {
    /// The blocks with edits of users that another version of the file has no longer.
    ///
    /// Of a block that an earlier version of the tool took down nothing tells whether it was edited.
    package func editsLost(in other: String?) -> [LostEdit] {
        let left = other.map { OverlayFile($0).blocks } ?? []
        return blocks.filter { block in block.isEdited != false && !left.contains { $0.has(block) } }
            .map { LostEdit($0, in: left) }
    }
}
