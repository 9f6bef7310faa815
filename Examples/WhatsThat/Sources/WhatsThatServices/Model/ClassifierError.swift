// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A reason why a model cannot be used as a classifier.
public struct ClassifierError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    ///
    /// Later versions may add kinds.
    public struct Code: Hashable, Sendable {
        private enum Kind: Hashable, Sendable {
            case noModel
            case unreadableFile
            case wrongShape
            case wrongLabels
            case wrongOutput
        }

        private let kind: Kind

        /// No model was given, and none is compiled in.
        public static var noModel: Self { Self(kind: .noModel) }

        /// A file of the model cannot be read, or its content makes no sense.
        public static var unreadableFile: Self { Self(kind: .unreadableFile) }

        /// The model's input is no picture of the size in the manifest.
        public static var wrongShape: Self { Self(kind: .wrongShape) }

        /// There are more or fewer labels than outputs.
        public static var wrongLabels: Self { Self(kind: .wrongLabels) }

        /// The model has computed what is no probability.
        public static var wrongOutput: Self { Self(kind: .wrongOutput) }
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
