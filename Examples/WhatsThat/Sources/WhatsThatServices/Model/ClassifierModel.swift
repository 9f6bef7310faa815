// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CWhatsThatModel
public import Foundation
public import OnnxRuntime

/// A classifier's network, what its outputs are called, and how pictures become its input.
public struct ClassifierModel: Sendable {
    /// The bytes of the ONNX file.
    public var network: [UInt8]
    /// The name of each output.
    public var labels: [String]
    /// How pictures become the input.
    public var manifest: ModelManifest

    /// Puts a model together.
    public init(network: [UInt8], labels: [String], manifest: ModelManifest) {
        self.network = network
        self.labels = labels
        self.manifest = manifest
    }

    /// Reads the files of a model.
    ///
    /// - Parameters:
    ///   - network: The path of the ONNX file.
    ///   - labels: The path of a text file with a label a line, in the order of the outputs.
    ///   - manifest: The path of a ``ModelManifest``.
    /// - Throws: ``ClassifierError`` of the code `unreadableFile`.
    public init(network: String, labels: String, manifest: String) throws(ClassifierError) {
        self.init(
            network: Array(try Self.read(network)),
            labels: try Self.labels(Self.read(labels), labels),
            manifest: try Self.manifest(Self.read(manifest), manifest)
        )
    }

    /// Takes the model that is compiled in; its card is in the folder Model.
    ///
    /// - Returns: The model.
    /// - Throws: ``ClassifierError`` of the code `noModel`, if there was none when this was compiled.
    public static func embedded() throws(ClassifierError) -> Self {
        let network = Self.data(whatsthat_network())
        guard !network.isEmpty else {
            throw ClassifierError(.noModel, "No model is compiled in. Name one with --model, --labels and --manifest.")
        }
        return Self(
            network: Array(network),
            labels: try Self.labels(Self.data(whatsthat_labels()), "labels.txt"),
            manifest: try Self.manifest(Self.data(whatsthat_manifest()), "manifest.json")
        )
    }

    /// Takes the model of photographs that the script `install-model` has put beside the example.
    ///
    /// - Parameter folder: Where the search for it begins: it and the folders around it.
    /// - Returns: The model; nil if it is not installed.
    /// - Throws: ``ClassifierError`` of the code `unreadableFile`.
    public static func installed(near folder: URL? = InstalledFolder.ofProgram) throws(ClassifierError) -> Self? {
        guard let files = InstalledFolder.url(of: "photographs", near: folder) else { return nil }
        func path(_ name: String) -> String { files.appending(path: name).path }
        return try Self(
            network: path("photographs.onnx"),
            labels: path("labels.txt"),
            manifest: path("manifest.json")
        )
    }

    // MARK: Files

    private static func data(_ file: whatsthat_file) -> Data { Data(bytes: file.start, count: file.length) }

    private static func read(_ path: String) throws(ClassifierError) -> Data {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw ClassifierError(.unreadableFile, "'\(path)' is a folder.")
        }
        do { return try Data(contentsOf: URL(filePath: path)) } catch {
            throw ClassifierError(.unreadableFile, "'\(path)' cannot be read: \(error.localizedDescription)")
        }
    }

    private static func labels(_ data: Data, _ name: String) throws(ClassifierError) -> [String] {
        guard let text = String(data: data, encoding: .utf8) else {
            throw ClassifierError(.unreadableFile, "'\(name)' is not text in UTF-8.")
        }
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private static func manifest(_ data: Data, _ name: String) throws(ClassifierError) -> ModelManifest {
        let manifest: ModelManifest
        let values = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
        if let values {
            guard let values = values as? [String: Any] else {
                throw ClassifierError(.unreadableFile, "'\(name)' is no manifest: it must be an object, in braces.")
            }
            if let key = values.keys.sorted().first(where: { !ModelManifest.keys.contains($0) }) {
                let advice = ModelManifest.nearest(to: key)
                throw ClassifierError(
                    .unreadableFile,
                    "'\(name)' is no manifest: '\(key)' is unknown; is it '\(advice)'?"
                )
            }
        }
        do { manifest = try JSONDecoder().decode(ModelManifest.self, from: data) } catch {
            throw ClassifierError(
                .unreadableFile,
                "'\(name)' is no manifest: \(Self.reason(error, isJSON: values != nil))"
            )
        }
        try manifest.check()
        return manifest
    }

    private static func reason(_ error: any Error, isJSON: Bool) -> String {
        switch error as? DecodingError {
        case .keyNotFound(let key, _): "'\(key.stringValue)' is missing."
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "'\(context.codingPath.map(\.stringValue).joined(separator: "."))' has a wrong type."
        case .dataCorrupted(let context) where context.codingPath.isEmpty && isJSON: "a number is too large."
        case .dataCorrupted(let context) where context.codingPath.isEmpty: context.debugDescription
        case .dataCorrupted(let context):
            "'\(context.codingPath.map(\.stringValue).joined(separator: "."))': \(context.debugDescription)"
        default: error.localizedDescription
        }
    }
}
