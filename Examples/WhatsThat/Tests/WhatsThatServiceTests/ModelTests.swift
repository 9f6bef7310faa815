// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import PictureDecoding
import Testing
import WhatsThatTesting

@testable import WhatsThatServices

@Suite("Models and their manifests", .timeLimit(.minutes(10)))
struct ModelTests {
    /// A picture in which each column and each row has its own colour.
    private static let ramps = Drawing(width: 10, height: 5) { x, y in .init(UInt8(x * 20), UInt8(y * 50), 7) }

    private func values(
        _ drawing: Drawing = Self.ramps,
        width: Int,
        height: Int,
        change: (inout ModelManifest) -> Void = { _ in }
    ) throws -> [Float] {
        var manifest = ModelManifest(width: width, height: height)
        change(&manifest)
        return PictureSampler(manifest: manifest).values(of: try Picture(decoding: try drawing.file(.png)))
    }

    @Test
    func `a number is the mean of the pixels whose middle is in its box`() throws {
        // Pillow's boxes of ten columns, four times: 0–2, 3–4, 5–7, 8–9.
        let values = try self.values(width: 4, height: 1)
        #expect(Array(values[0..<4]) == [20, 70, 120, 170])
        #expect(Array(values[4..<8]) == [100, 100, 100, 100])
        #expect(Array(values[8..<12]) == [7, 7, 7, 7])
    }

    @Test
    func `a picture that is too small is repeated`() throws {
        let values = try self.values(
            Drawing(width: 2, height: 1) { x, _ in .init(UInt8(x * 100), 0, 0) },
            width: 5,
            height: 1
        )
        #expect(Array(values[0..<5]) == [0, 0, 100, 100, 100])
    }

    @Test
    func `only the middle, or all with white beside it`() throws {
        // Five columns of ten, from the third on.
        let cropped = try self.values(width: 5, height: 5) { $0.resize = .crop }
        #expect(Array(cropped[0..<5]) == [40, 60, 80, 100, 120])
        let fitted = try self.values(width: 10, height: 10) { $0.resize = .fit }
        #expect(Array(fitted[0..<20]) == Array(repeating: 255, count: 20))
        #expect(Array(fitted[20..<30]) == (0..<10).map { Float($0 * 20) })
        #expect(Array(fitted[70..<100]) == Array(repeating: 255, count: 30))
        let stretched = try self.values(width: 10, height: 10)
        #expect(Array(stretched[0..<10]) == (0..<10).map { Float($0 * 20) })
    }

    @Test
    func `mean, scale, and both orders`() throws {
        let red = Drawing(.init(100, 50, 10), width: 1, height: 1)
        func change(_ manifest: inout ModelManifest) {
            manifest.mean = [10, 20, 30]
            manifest.scale = [1, 2, 3]
        }
        #expect(try self.values(red, width: 1, height: 1, change: change) == [90, 60, -60])
        let bluesFirst = try self.values(red, width: 1, height: 1) { manifest in
            change(&manifest)
            manifest.order = .blueFirst
        }
        #expect(bluesFirst == [-60, 60, 90])
        let first = try self.values(width: 2, height: 1)
        let last = try self.values(width: 2, height: 1) { $0.layout = .colourLast }
        #expect(last == [first[0], first[2], first[4], first[1], first[3], first[5]])
    }

    @Test
    func `what is transparent is put on white`() throws {
        let values = try self.values(Drawing(.init(0, 0, 255, opacity: 102), width: 1, height: 1), width: 1, height: 1)
        #expect(values == [153, 153, 255])
    }

    // MARK: Files

    private func folder<Value>(_ body: (URL) throws -> Value) throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }

    private func model(labels: String = "red\ngreen\nblue\n", manifest: String) throws -> ClassifierModel {
        try self.folder { folder in
            let files = ["model.onnx": "model", "labels.txt": labels, "manifest.json": manifest]
            for (name, text) in files { try Data(text.utf8).write(to: folder.appending(path: name)) }
            let paths = ["model.onnx", "labels.txt", "manifest.json"].map { folder.appending(path: $0).path }
            return try ClassifierModel(network: paths[0], labels: paths[1], manifest: paths[2])
        }
    }

    @Test
    func `a manifest needs only a size`() throws {
        let model = try self.model(manifest: #"{"width": 8, "height": 9}"#)
        #expect(model.manifest == ModelManifest(width: 8, height: 9))
        #expect(model.labels == ["red", "green", "blue"])
    }

    @Test
    func `a manifest may say all`() throws {
        let model = try self.model(
            labels: "a\r\n\nc",
            manifest: """
                {"width": 8, "height": 9, "layout": "NHWC", "mean": [1, 2, 3], "scale": [4, 5, 6], "order": "BGR",
                "resize": "fit", "softmax": true, "nothing": "none of these", "threshold": 0.25}
                """
        )
        var manifest = ModelManifest(width: 8, height: 9)
        (manifest.layout, manifest.order, manifest.resize) = (.colourLast, .blueFirst, .fit)
        (manifest.mean, manifest.scale, manifest.softmax) = ([1, 2, 3], [4, 5, 6], true)
        (manifest.nothing, manifest.threshold) = ("none of these", 0.25)
        #expect(model.manifest == manifest)
        // An empty line is a label without a name.
        #expect(model.labels == ["a", "", "c"])
    }

    @Test(arguments: [
        ("[]", "an object"), ("null", "an object"), ("7", "an object"),
        (#"{"width": 1e30, "height": 8}"#, "too large"), (#"{"width": 8, "height": 8, "mean": [1, 2, "3"]}"#, "'mean"),
        (#"{"width": 8, "height": 8, "treshold": 0.5}"#, "'treshold' is unknown; is it 'threshold'?"),
        (#"{"width": 8, "height": 8, "scale": [1, 0, 1]}"#, "scale"),
        (#"{"width": 8, "height": 8, "scale": [1, 1e300, 1]}"#, "too large"),
        (#"{"width": 8, "height": 8, "threshold": 1.5}"#, "threshold"),
        (#"{"width": 8, "height": 8, "threshold": -1}"#, "threshold"),
        ("", "manifest"), ("{}", "'width' is missing"), (#"{"width": 8}"#, "'height' is missing"),
        (#"{"width": "8", "height": 8}"#, "'width' has a wrong type"),
        (#"{"width": 8, "height": 8, "layout": "XY"}"#, "XY"),
        (#"{"width": 0, "height": 8}"#, "1 to 4096"), (#"{"width": 8, "height": 8, "mean": [1]}"#, "three numbers"),
    ]
    )
    func `a manifest that makes no sense is an error, which says why`(manifest: String, message: String) {
        #expect { try self.model(manifest: manifest) } throws: { error in
            (error as? ClassifierError)?.code == .unreadableFile && "\(error)".contains(message)
        }
    }

    @Test
    func `a folder is said to be one`() {
        #expect { try ClassifierModel(network: "/", labels: "/", manifest: "/") } throws: {
            ($0 as? ClassifierError)?.code == .unreadableFile && "\($0)" == "'/' is a folder."
        }
    }

    @Test
    func `a file that is not there is named`() {
        #expect { try ClassifierModel(network: "/nowhere/a", labels: "/nowhere/b", manifest: "/nowhere/c") } throws: {
            ($0 as? ClassifierError)?.code == .unreadableFile && "\($0)".contains("'/nowhere/a'")
        }
    }

    @Test(.enabled(if: TestLibrary.shared != nil, "\(TestLibrary.advice)"))
    func `an output that is larger than anything is an error`() {
        #expect { try TestLibrary.service(TestModels.enormous()) } throws: {
            ($0 as? ClassifierError)?.code == .wrongShape && "\($0)".contains("1×1099511627776×1099511627776")
        }
    }
}
