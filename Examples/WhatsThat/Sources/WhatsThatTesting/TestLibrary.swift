// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import OnnxRuntime
public import WhatsThatServices

/// ONNX Runtime for tests, which is not there on each machine.
public enum TestLibrary {
    /// The library, if it is there.
    public static let shared = try? OnnxLibrary()

    /// Why tests are left out.
    public static let advice = "ONNX Runtime is not there: run Examples/WhatsThat/install-onnxruntime"

    /// A service over a model for pictures of 8 × 8 pixels, which says `red`, `green` or `blue`.
    public static func service(
        _ model: [UInt8] = TestModels.colours(),
        labels: [String] = ["red", "green", "blue"],
        running: Int = 2,
        change: (inout ModelManifest) -> Void = { _ in }
    ) throws -> ImageClassifierService {
        var manifest = ModelManifest(width: 8, height: 8)
        manifest.scale = [0.04, 0.04, 0.04]
        change(&manifest)
        return try ImageClassifierService(
            model: ClassifierModel(network: model, labels: labels, manifest: manifest),
            running: running,
            library: self.shared
        )
    }
}
