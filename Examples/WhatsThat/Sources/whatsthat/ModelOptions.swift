// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import OnnxRuntime
import PictureDecoding
import WhatsThatServices

/// Which model is used.
struct ModelOptions: ParsableArguments {
    @Option(
        help: "An ONNX classifier, instead of the one that is compiled in and what install-model has installed.",
        completion: .file()
    )
    var model: String?

    @Option(help: "Its labels: a text file with one a line.", completion: .file())
    var labels: String?

    @Option(help: "Its manifest: see the README.", completion: .file())
    var manifest: String?

    @Option(
        name: .customLong("onnxruntime"),
        help: "The file of ONNX Runtime's library; by default that of ONNXRUNTIME_LIBRARY, then what was installed.",
        completion: .file()
    )
    var library: String?

    func validate() throws {
        let given = [self.model, self.labels, self.manifest].compactMap(\.self).count
        if given != 0, given != 3 {
            throw ValidationError("--model, --labels and --manifest belong together: give all three, or none.")
        }
    }

    /// What the model knows, for people.
    var knowledge: String {
        if let model { return "The model is \(model)." }
        let drawings = "Known are 75 drawings, as of a dog's face or a guitar"
        return InstalledFolder.url(of: "photographs") == nil
            ? "\(drawings), and no photographs: install-model brings a model of these."
            : "\(drawings), and photographs of 1,000 kinds of animals, food and things; no people, and no places."
    }

    func service(limits: PictureLimits = PictureLimits(), running: Int? = nil) throws -> any ImageClassifier {
        // The loader would look for a name without a slash among the system's.
        let library = try OnnxLibrary(path: self.library.map { $0.contains("/") ? $0 : "./\($0)" })
        func service(_ model: ClassifierModel?) throws -> ImageClassifierService {
            try ImageClassifierService(model: model, limits: limits, running: running, library: library)
        }
        if let model, let labels, let manifest {
            return try service(ClassifierModel(network: model, labels: labels, manifest: manifest))
        }
        let drawings = try service(nil)
        guard let photographs = try ClassifierModel.installed() else { return drawings }
        return ClassifierChain(drawings, then: try service(photographs))
    }
}
