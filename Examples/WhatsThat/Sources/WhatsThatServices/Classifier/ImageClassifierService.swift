// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
public import OnnxRuntime
public import PictureDecoding

/// Says what images show, with any ONNX classifier.
///
/// Decodes on a queue, as many images at a time as there are processors, and runs the model with `RunAsync` of ONNX
/// Runtime, which calls back.
public final class ImageClassifierService: ImageClassifier {
    private let session: OnnxSession
    private let labels: [String]
    private let sampler: PictureSampler
    private let limits: PictureLimits
    private let decoding = OperationQueue()

    /// Prepares a model.
    ///
    /// - Parameters:
    ///   - model: The model; by default the one that is compiled in.
    ///   - limits: How large images may be.
    ///   - running: How many runs of the model there may be at once; more wait for these. By default as many as there
    ///     are processors. A run may wait for another one before that: ONNX Runtime chooses the thread.
    ///   - library: ONNX Runtime; by default the one that is found.
    /// - Throws: ``ClassifierError``; `OnnxError`.
    public init(
        model: ClassifierModel? = nil,
        limits: PictureLimits = PictureLimits(),
        running: Int? = nil,
        library: OnnxLibrary? = nil
    ) throws {
        let model = try model ?? ClassifierModel.embedded()
        let processors = ProcessInfo.processInfo.activeProcessorCount
        self.session = try OnnxSession(
            model: model.network,
            // One of them is for callers that wait, of which there are none.
            threadCount: (running ?? processors) + 1,
            library: try library ?? OnnxLibrary()
        )
        self.labels = model.labels
        self.sampler = PictureSampler(manifest: model.manifest)
        self.limits = limits
        self.decoding.maxConcurrentOperationCount = processors
        try model.manifest.check()
        try self.checkShapes()
    }

    /// Says what an image shows.
    ///
    /// - Parameters:
    ///   - image: The image.
    ///   - completion: Called once, on any thread, when the work has ended: with a classification, `PictureError`,
    ///     ``ClassifierError``, `OnnxError`, or with `CancellationError` if the request was cancelled before.
    /// - Returns: The request, which can be cancelled: that stops the model.
    @discardableResult
    public func classifyImage(
        _ image: Image,
        completion: @escaping @Sendable (Result<Classification, any Error>) -> Void
    ) -> ClassificationRequest {
        let work = ClassificationWork(completion)
        self.decoding.addOperation {
            guard work.begin() else { return }
            do {
                let picture = try Picture(decoding: image.bytes, limits: self.limits)
                let values = self.sampler.values(of: picture)
                try work.run { done in
                    try self.session.run(values, shape: self.sampler.manifest.shape) { outputs in
                        done(Result { try self.classification(of: outputs.get()) })
                    }
                }
            } catch {
                work.end(with: .failure(error))
            }
        }
        return ClassificationRequest { work.cancel() }
    }

    // MARK: The model

    private func checkShapes() throws {
        let (input, shape) = (self.session.input, self.sampler.manifest.shape)
        let fits =
            input.isFloat && input.shape.count == shape.count
            && zip(input.shape, shape).allSatisfy { $0 == nil || $0 == $1 }
        guard fits else {
            throw ClassifierError(
                .wrongShape,
                "The model's input '\(input.name)' is \(Self.text(input)), and the manifest's pictures are "
                    + "\(shape.map(String.init).joined(separator: "×"))."
            )
        }
        let output = self.session.output
        guard output.isFloat else {
            throw ClassifierError(.wrongShape, "The model's output '\(output.name)' is of another type than float.")
        }
        // Some models leave the number of pictures open; if more is open, only a run shows it.
        let isKnown = output.shape.dropFirst().allSatisfy { $0 != nil } && output.shape.count > 1
        if isKnown { try self.checkLabels(outputs: output.shape.dropFirst().reduce(1) { $0 * ($1 ?? 1) }) }
    }

    private func checkLabels(outputs: Int) throws {
        guard outputs == self.labels.count else {
            throw ClassifierError(
                .wrongLabels,
                "The model has \(outputs) outputs, and there are \(self.labels.count) labels."
            )
        }
    }

    private static func text(_ tensor: OnnxTensor) -> String {
        guard tensor.isFloat else { return "of another type than float" }
        return tensor.shape.map { $0.map(String.init) ?? "?" }.joined(separator: "×")
    }

    private func classification(of outputs: [Float]) throws -> Classification {
        try self.checkLabels(outputs: outputs.count)
        return try Classification(outputs, labels: self.labels, manifest: self.sampler.manifest)
    }
}
