// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Coroutines
import Foundation
import WhatsThatServices

extension Tour {
    func classifyPicture() async {
        self.narrator.chapter(
            "A neural network that calls back",
            "ImageClassifierService, over RunAsync of ONNX Runtime, in three styles."
        )
        let path = "Examples/WhatsThat/Pictures/dog-face.png"
        let service: ImageClassifierService
        let image: Image
        do {
            service = try ImageClassifierService()
            image = Image(bytes: Array(try Data(contentsOf: URL(filePath: path))))
        } catch {
            return self.narrator.check(
                "model, picture and ONNX Runtime are here",
                so: "the chapter needs them",
                false,
                error
            )
        }
        let awaited = try? await service.classifyImage(image)
        self.narrator.check(
            "awaited, it knows the picture",
            so: "no thread stands still while the network runs",
            awaited?.candidates.first?.label == "dog face",
            awaited
        )
        let future = try? await service.classificationFuture(of: image).value
        self.narrator.check(
            "a future has the same",
            so: "code with futures need not be rewritten",
            future != nil && future == awaited
        )
        let waited = try? await withCoroutine { try service.awaitClassification(of: image) }
        self.narrator.check(
            "synchronous code too",
            so: "nor need code that cannot be async",
            waited != nil && waited == awaited
        )
        let error = await errorOf { try await service.classifyImage(Image(bytes: Array("hello".utf8))) }
        self.narrator.check(
            "what is no picture is an error",
            so: "an upload of anything does not end the process",
            error != nil,
            error
        )
        let cancelled = await errorOf {
            try await withThrowingDiscardingTaskGroup { group in
                group.addTask { _ = try await service.classifyImage(image) }
                group.cancelAll()
            }
        }
        self.narrator.check(
            "a cancelled run ends",
            so: "the processor is free for those who still wait",
            cancelled is CancellationError,
            cancelled
        )
    }
}
