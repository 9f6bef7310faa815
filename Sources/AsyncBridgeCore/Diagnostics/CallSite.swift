// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

extension BridgeDiagnostics {
    /// A place in source code: what `#fileID` and `#line` said there.
    ///
    /// Its description is `Module/File.swift:12`, which editors and terminals turn into a link.
    public struct CallSite: Sendable {
        @usableFromInline package let fileIDLiteral: StaticString

        /// The line, counted from 1.
        public let line: UInt

        /// Makes a place from the literals of its source file.
        ///
        /// - Parameters:
        ///   - fileID: The module and the file, as `#fileID` spells them.
        ///   - line: The line, counted from 1.
        @_alwaysEmitIntoClient
        public init(fileID: StaticString = #fileID, line: UInt = #line) {
            self.fileIDLiteral = fileID
            self.line = line
        }

        /// The module and the file: `Module/File.swift`.
        ///
        /// - Complexity: O(*n*) in the length of the text, which is copied.
        public var fileID: String { "\(self.fileIDLiteral)" }
    }
}

extension BridgeDiagnostics.CallSite: CustomStringConvertible {
    /// The place as `Module/File.swift:12`.
    public var description: String { "\(self.fileIDLiteral):\(self.line)" }
}

extension BridgeDiagnostics.CallSite: Hashable {
    /// Tells whether both are the same place.
    ///
    /// - Parameters:
    ///   - left: A place.
    ///   - right: A place.
    /// - Returns: Whether file and line are equal.
    public static func == (left: Self, right: Self) -> Bool {
        left.line == right.line && left.fileID == right.fileID
    }

    /// Feeds file and line to a hasher.
    ///
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(self.line)
        hasher.combine(self.fileID)
    }
}

@usableFromInline
package typealias CallSite = BridgeDiagnostics.CallSite
