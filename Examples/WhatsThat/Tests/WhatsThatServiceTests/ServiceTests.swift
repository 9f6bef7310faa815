// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import AsyncBridgeCombine
import AsyncBridgeFutures
import Coroutines
import OnnxRuntime
import PictureDecoding
import Testing
import WhatsThatServices
import WhatsThatTesting

@Suite("The service", .timeLimit(.minutes(10)), .enabled(if: TestLibrary.shared != nil, "\(TestLibrary.advice)"))
struct ServiceTests {
    static let colours: [(Drawing.Colour, String)] = [(.red, "red"), (.green, "green"), (.blue, "blue")]

    @Test(arguments: Drawing.Format.allCases)
    func `says what pictures of each format show, in each form`(format: Drawing.Format) async throws {
        let service = try TestLibrary.service()
        for (colour, label) in Self.colours {
            let image = Image(bytes: try Drawing(colour).file(format))
            let classification = try await service.classifyImage(image)
            #expect(classification.candidates.map(\.label).first == label)
            #expect(classification.description.hasPrefix("\(label) 100 %"))
            #expect(abs(classification.candidates.map(\.probability).reduce(0, +) - 1) < 0.01)
            #expect(try await service.classificationFuture(of: image).value == classification)
            #expect(try await service.classificationPublisher(of: image).singleValue() == classification)
            #expect(try await withCoroutine { try service.awaitClassification(of: image) } == classification)
            let called = try await withCallback { callback in
                service.classifyImage(image, completion: callback.handler())
            }
            #expect(called == classification)
        }
    }

    @Test
    func `many at once get each their own answer`() async throws {
        let service = try TestLibrary.service()
        let images = try Self.colours.map { (Image(bytes: try Drawing($0.0, width: 64, height: 64).file(.png)), $0.1) }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<300 {
                let (image, label) = images[number % images.count]
                group.addTask { try await service.classifyImage(image).candidates.first?.label == label }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    // MARK: Manifests

    @Test
    func `a model whose colours are last`() async throws {
        let service = try TestLibrary.service(TestModels.coloursLast()) { $0.layout = .colourLast }
        for (colour, label) in Self.colours {
            let image = Image(bytes: try Drawing(colour).file(.png))
            #expect(try await service.classifyImage(image).candidates.first?.label == label)
        }
    }

    @Test
    func `a model that wants blue first`() async throws {
        let service = try TestLibrary.service(labels: ["blue", "green", "red"]) { $0.order = .blueFirst }
        for (colour, label) in Self.colours {
            let image = Image(bytes: try Drawing(colour).file(.png))
            #expect(try await service.classifyImage(image).candidates.first?.label == label)
        }
    }

    @Test
    func `a model without softmax`() async throws {
        let image = Image(bytes: try Drawing(.green).file(.png))
        let with = try TestLibrary.service(TestModels.logits()) { $0.softmax = true }
        let expected = try await TestLibrary.service().classifyImage(image)
        let classification = try await with.classifyImage(image)
        #expect(classification.candidates.map(\.label).first == "green")
        for (one, other) in zip(classification.candidates, expected.candidates) {
            #expect(abs(one.probability - other.probability) < 0.0001)
        }
        let without = try TestLibrary.service(TestModels.logits())
        await #expect { try await without.classifyImage(image) } throws: {
            ($0 as? ClassifierError)?.code == .wrongOutput
        }
    }

    @Test
    func `a model that is sure of its label for nothing has recognised nothing`() async throws {
        let service = try TestLibrary.service { $0.nothing = "red" }
        let classification = try await service.classifyImage(Image(bytes: Drawing(.red).file(.png)))
        #expect(classification.description == "red" && classification.nothing == "red")
    }

    @Test
    func `below the threshold nothing was recognised`() async throws {
        let grey = Image(bytes: try Drawing(.init(128, 128, 128)).file(.png))
        let unsure = try TestLibrary.service { $0.threshold = 0.5 }
        #expect(try await unsure.classifyImage(grey).description == "nothing recognised")
        let named = try TestLibrary.service { manifest in
            manifest.threshold = 0.5
            manifest.nothing = "none of these"
        }
        #expect(try await named.classifyImage(grey).description == "none of these")
        let red = Image(bytes: try Drawing(.red).file(.png))
        #expect(try await named.classifyImage(red).description == "red 100 %")
    }

    // MARK: Errors

    private func code(of file: [UInt8], limits: PictureLimits = PictureLimits()) async throws -> PictureError.Code? {
        do {
            _ = try await TestLibrary.service().classifyImage(Image(bytes: file))
            return nil
        } catch {
            return (error as? PictureError)?.code
        }
    }

    @Test
    func `what is no picture arrives as a typed error`() async throws {
        let file = try Drawing(.red).file(.png)
        #expect(try await self.code(of: Array("hello".utf8)) == .notAPicture)
        #expect(try await self.code(of: []) == .notAPicture)
        #expect(try await self.code(of: file.dropLast(20)) == .damaged)
        let service = try ImageClassifierService(
            model: ClassifierModel(
                network: TestModels.colours(),
                labels: ["red", "green", "blue"],
                manifest: ModelManifest(width: 8, height: 8)
            ),
            limits: PictureLimits(pixels: 100),
            library: TestLibrary.shared
        )
        await #expect { try await service.classifyImage(Image(bytes: file)) } throws: {
            ($0 as? PictureError)?.code == .tooLarge
        }
    }

    @Test(arguments: [[], Array("hello".utf8), [0x08, 0x08], [0xFF]])
    func `what is no model arrives as a typed error`(model: [UInt8]) {
        #expect { try TestLibrary.service(model) } throws: { ($0 as? OnnxError)?.code == .modelUnreadable }
    }

    @Test
    func `a model that does not fit its manifest or labels arrives as a typed error`() {
        func code(_ make: () throws -> ImageClassifierService) -> ClassifierError.Code? {
            do {
                _ = try make()
                return nil
            } catch {
                #expect(!"\(error)".isEmpty)
                return (error as? ClassifierError)?.code
            }
        }
        #expect(code { try TestLibrary.service { $0.width = 9 } } == .wrongShape)
        #expect(code { try TestLibrary.service { $0.layout = .colourLast } } == .wrongShape)
        #expect(code { try TestLibrary.service(TestModels.colours(shape: [1, 3, 8])) } == .wrongShape)
        #expect(code { try TestLibrary.service(labels: ["red", "green"]) } == .wrongLabels)
        #expect(code { try TestLibrary.service { $0.width = 0 } } == .unreadableFile)
        #expect(code { try TestLibrary.service { $0.mean = [1] } } == .unreadableFile)
    }

    @Test
    func `a library that is none, or not there, arrives as a typed error that says what to do`() throws {
        #expect { try OnnxLibrary(path: "/nowhere/libonnxruntime.so") } throws: { error in
            (error as? OnnxError)?.code == .libraryNotFound && "\(error)".contains("install-onnxruntime")
        }
        #expect { try OnnxLibrary(path: #filePath) } throws: { ($0 as? OnnxError)?.code == .libraryUnusable }
        // A library, but another one.
        #expect { try OnnxLibrary(path: "libc.so.6") } throws: { ($0 as? OnnxError)?.code == .libraryUnusable }
    }

    @Test
    func `500 models that are damaged at random end with an answer or an error`() async throws {
        var random = SplitMix(seed: 500)
        let models = [TestModels.colours(), TestModels.logits(), TestModels.coloursLast()]
        let image = Image(bytes: try Drawing(.red).file(.png))
        var (answers, refused, failed) = (0, 0, 0)
        for number in 0..<500 {
            let isLast = number % models.count == 2
            do {
                let service = try TestLibrary.service(random.damaged(models[number % models.count], places: 1)) {
                    manifest in
                    if isLast { manifest.layout = .colourLast }
                }
                do {
                    _ = try await service.classifyImage(image)
                    answers += 1
                } catch {
                    #expect(error is OnnxError || error is ClassifierError, "\(error)")
                    failed += 1
                }
            } catch {
                #expect(error is OnnxError || error is ClassifierError, "\(error)")
                refused += 1
            }
        }
        #expect(answers + refused + failed == 500)
        // Both happen, else the models would be damaged too little or too much.
        #expect(answers > 5)
        #expect(refused > 100)
    }
}
