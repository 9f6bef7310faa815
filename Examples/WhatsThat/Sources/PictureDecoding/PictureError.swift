// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A reason why there is no picture.
public struct PictureError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    ///
    /// Later versions may add kinds.
    public struct Code: Hashable, Sendable {
        private enum Kind: Hashable, Sendable {
            case notAPicture
            case tooLarge
            case damaged
        }

        private let kind: Kind

        /// The bytes are of no format that is known.
        public static var notAPicture: Self { Self(kind: .notAPicture) }

        /// The picture has more bytes or pixels than allowed.
        public static var tooLarge: Self { Self(kind: .tooLarge) }

        /// The picture is cut off, or wrong in itself.
        public static var damaged: Self { Self(kind: .damaged) }
    }

    /// The kind of failure.
    public let code: Code

    /// What is wrong.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    static let notAPicture = Self(.notAPicture, "This is no JPEG, PNG or WebP picture.")
}
