// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridge
import Dispatch

/// A stand-in for the tutorial's classifier: an old API with a completion handler, which calls back on a queue.
final class ImageClassifierService: Sendable {
    struct Classification: Equatable, Sendable, CustomStringConvertible {
        let description: String
    }

    enum ClassifierError: Error {
        case noModel
        case emptyImage
    }

    enum Habit: Sendable {
        case callsBack
        case callsBackTwice
        /// Drops the completion handler of an empty image.
        case forgetsFailures
    }

    private let habit: Habit

    init(_ habit: Habit = .callsBack) throws { self.habit = habit }

    func classifyImage(
        _ image: Image,
        completion: @escaping @Sendable (Result<Classification, any Error>) -> Void
    ) {
        DispatchQueue.global().async {
            let result = Result { try Self.model(image) }
            switch (self.habit, result) {
            case (.forgetsFailures, .failure): return
            case (.callsBack, _), (.forgetsFailures, .success): completion(result)
            case (.callsBackTwice, _):
                completion(result)
                completion(.success(Classification(description: "second")))
            }
        }
    }

    /// The neural model, which throws for an image without content.
    private static func model(_ image: Image) throws -> Classification {
        guard image != .empty else { throw ClassifierError.emptyImage }
        return Classification(description: "a \(image.name)")
    }
}

// MARK: - The async forms

extension ImageClassifierService {
    /// The tutorial's last form.
    func classifyImage(_ image: Image, at place: Place = Place()) async throws -> Classification {
        try await withCallback(fileID: Place.fileID, line: place.line) { callback in
            self.classifyImage(image) { result in callback.resume(with: result) }
        }
    }

    /// The same, with the ready-made handler.
    func classifyImageByHandler(_ image: Image, at place: Place = Place()) async throws -> Classification {
        try await withCallback(fileID: Place.fileID, line: place.line) { callback in
            self.classifyImage(image, completion: callback.handler())
        }
    }

    /// The tutorial's first form, with its bug: it answers on success only.
    func classifyImageOnSuccessOnly(_ image: Image, at place: Place = Place()) async throws -> Classification {
        try await withCallback(fileID: Place.fileID, line: place.line) { callback in
            self.classifyImage(image) { result in
                if case .success(let classification) = result { callback.resume(returning: classification) }
            }
        }
    }
}
