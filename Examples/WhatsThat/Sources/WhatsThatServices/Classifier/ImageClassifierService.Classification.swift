// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension ImageClassifierService {
    /// What an image shows, and how sure the model is.
    public struct Classification: Hashable, Sendable, CustomStringConvertible {
        /// Something that it may be.
        public struct Candidate: Hashable, Sendable, Codable {
            /// What it is called.
            public let label: String
            /// From zero to one.
            public let probability: Float

            /// Makes a candidate.
            public init(label: String, probability: Float) {
                self.label = label
                self.probability = probability
            }
        }

        /// All candidates, the likeliest first.
        public let candidates: [Candidate]

        /// What stands for a picture in which nothing was recognised: the likeliest candidate is too unlikely.
        public let nothing: String?

        /// Makes a classification.
        ///
        /// - Parameters:
        ///   - candidates: All candidates, the likeliest first.
        ///   - nothing: The caption, if nothing was recognised.
        public init(candidates: [Candidate], nothing: String? = nil) {
            self.candidates = candidates
            self.nothing = nothing
        }

        /// The caption: `dog face 93 %`, or without a number if nothing was recognised.
        public var description: String {
            guard self.nothing == nil, let first = self.candidates.first else {
                return self.nothing ?? Self.nothingRecognised
            }
            return "\(first.label) \(Int((first.probability * 100).rounded())) %"
        }

        private static let nothingRecognised = "nothing recognised"
    }
}

extension ImageClassifierService.Classification {
    /// Makes it of a model's outputs, of which there are as many as labels.
    init(_ outputs: [Float], labels: [String], manifest: ModelManifest) throws {
        let probabilities = manifest.softmax ? Self.softmax(outputs) : outputs
        guard probabilities.allSatisfy({ $0 >= -0.001 && $0 <= 1.001 }) else {
            throw ClassifierError(
                .wrongOutput,
                "The model has computed what is no probability. Does its manifest need \"softmax\": true?"
            )
        }
        let candidates = zip(labels, probabilities)
            .map { Candidate(label: $0, probability: min(max($1, 0), 1)) }
            .sorted { $0.probability > $1.probability }
        // A model may have an output for nothing, and be sure of that.
        let isSomething = candidates.first.map {
            $0.probability >= manifest.threshold && $0.label != manifest.nothing
        }
        let nothing = manifest.nothing ?? Self.nothingRecognised
        self.init(candidates: candidates, nothing: isSomething == true ? nil : nothing)
    }

    private static func softmax(_ outputs: [Float]) -> [Float] {
        let greatest = outputs.max() ?? 0
        let powers = outputs.map { exp($0 - greatest) }
        let sum = powers.reduce(0, +)
        return powers.map { $0 / sum }
    }
}
