// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import OnnxRuntime
import PictureDecoding
import WhatsThatServices

/// Which model is used.
struct ModelOptions: ParsableArguments {
    @Option(help: "An ONNX classifier, instead of the one that is compiled in.", completion: .file())
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

    func service(limits: PictureLimits = PictureLimits(), running: Int? = nil) throws -> ImageClassifierService {
        var files: ClassifierModel?
        if let model, let labels, let manifest {
            files = try ClassifierModel(network: model, labels: labels, manifest: manifest)
        }
        return try ImageClassifierService(
            model: files,
            limits: limits,
            running: running,
            // The loader would look for a name without a slash among the system's.
            library: try OnnxLibrary(path: self.library.map { $0.contains("/") ? $0 : "./\($0)" })
        )
    }
}
