// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A reason why ONNX Runtime did not do what was asked.
public struct OnnxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    ///
    /// Later versions may add kinds.
    public struct Code: Hashable, Sendable {
        private enum Kind: Hashable, Sendable {
            case libraryNotFound
            case libraryUnusable
            case modelUnreadable
            case runFailed
        }

        private let kind: Kind

        /// There is no library.
        public static var libraryNotFound: Self { Self(kind: .libraryNotFound) }

        /// The file is no library of ONNX Runtime, or one of a version that is too old.
        public static var libraryUnusable: Self { Self(kind: .libraryUnusable) }

        /// The bytes are no model, or one that this version does not know.
        public static var modelUnreadable: Self { Self(kind: .modelUnreadable) }

        /// The model does not take this input, or failed while it ran.
        public static var runFailed: Self { Self(kind: .runFailed) }
    }

    /// The kind of failure.
    public let code: Code

    /// What happened, and what to do.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
