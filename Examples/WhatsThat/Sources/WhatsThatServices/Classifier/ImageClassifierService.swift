// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeFutures
import Foundation
public import OnnxRuntime
public import PictureDecoding

/// Says what images show, with any ONNX classifier.
///
/// Decodes on a queue's threads, as many images at a time as there are processors, and runs the model with `RunAsync`
/// of ONNX Runtime, which calls back.
///
/// Why not one session for all runs: ONNX Runtime may give two of them to the same busy thread, though another one
/// sleeps. The second then waits for the first, even if it was cancelled.
public final class ImageClassifierService: AsyncImageClassifier {
    private let input: OnnxTensor
    private let output: OnnxTensor
    /// One run at a time in each.
    private let sessions: FreeList<OnnxSession>
    private let labels: [String]
    private let sampler: PictureSampler
    private let limits: PictureLimits
    /// One for each image that is being decoded.
    private let decoders: CoSemaphore

    /// Prepares a model.
    ///
    /// - Parameters:
    ///   - model: The model; by default the one that is compiled in.
    ///   - limits: How large images may be.
    ///   - running: How many runs of the model there may be at once, each in a session of its own; more wait for
    ///     these, in order. By default as many as there are processors; fewer than one are taken as one.
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
        let library = try library ?? OnnxLibrary()
        let session = try OnnxSession(model: model.network, library: library)
        (self.input, self.output) = (session.input, session.output)
        self.sessions = FreeList(session, limit: max(running ?? processors, 1)) {
            // It takes a while, so on no thread of tasks.
            try await onThread { try OnnxSession(model: model.network, library: library) }
        }
        self.labels = model.labels
        self.sampler = PictureSampler(manifest: model.manifest)
        self.limits = limits
        self.decoders = CoSemaphore(permits: processors)
        try model.manifest.check()
        try self.checkShapes()
    }

    /// Says what an image shows.
    ///
    /// ## Cancellation
    /// Ends a wait at once, and stops the model; what is being decoded is decoded to its end first.
    ///
    /// - Parameter image: The image.
    /// - Returns: The classification.
    /// - Throws: `PictureError`, ``ClassifierError``, `OnnxError`, `CancellationError`.
    public nonisolated(nonsending) func classifyImage(_ image: Image) async throws -> Classification {
        let values = try await self.decoders.withPermit {
            try await onThread {
                self.sampler.values(of: try Picture(decoding: image.bytes, limits: self.limits))
            }
        }
        return try self.classification(of: try await self.outputs(values))
    }

    // MARK: The model

    /// Runs the model when there is a session for it, which is free again when ONNX Runtime has called back.
    private nonisolated(nonsending) func outputs(_ values: [Float]) async throws -> [Float] {
        try await self.sessions.withElement { session in
            try await withCallback(cancellation: .cooperative) { callback in
                try session.run(values, shape: self.sampler.manifest.shape, completion: callback.handler())
            } onCancel: { run in
                run.cancel()
            }
        }
    }

    private func checkShapes() throws {
        let (input, shape) = (self.input, self.sampler.manifest.shape)
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
        let output = self.output
        guard output.isFloat else {
            throw ClassifierError(.wrongShape, "The model's output '\(output.name)' is of another type than float.")
        }
        // Some models leave the number of pictures open; if more is open, only a run shows it.
        let sizes = output.shape.dropFirst().compactMap(\.self)
        guard output.shape.count > 1, sizes.count == output.shape.count - 1 else { return }
        try self.checkLabels(outputs: try Self.product(of: sizes, output))
    }

    private static func product(of sizes: [Int], _ tensor: OnnxTensor) throws -> Int {
        try sizes.reduce(1) { product, size in
            let (product, isOverflow) = product.multipliedReportingOverflow(by: size)
            guard !isOverflow else {
                throw ClassifierError(
                    .wrongShape,
                    "The model's output '\(tensor.name)' is \(Self.text(tensor)): more numbers than there can be."
                )
            }
            return product
        }
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

/// Runs what takes a while on no thread of tasks, to its end, even if the task is cancelled meanwhile.
private nonisolated(nonsending) func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCallback(cancellation: .cooperative) { callback in
        DispatchQueue.global().async { callback.resume(with: Result { try body() }) }
    }
}
