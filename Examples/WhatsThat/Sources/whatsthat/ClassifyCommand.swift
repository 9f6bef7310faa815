// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import ArgumentParser
import AsyncBridgeFutures
import CommandSupport
import Coroutines
import Foundation
import PictureDecoding
import WhatsThatServices

/// Classifies files.
struct ClassifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "classify",
        abstract: "Says what the pictures in files show: JPEG, PNG or WebP."
    )

    @Argument(help: "The files.", completion: .file())
    var files: [String]

    @Option(help: "Shows so many candidates of each.")
    var top: Int?

    @Flag(help: "Writes a JSON object for each file, on one line.")
    var json = false

    @OptionGroup var model: ModelOptions

    func validate() throws {
        if let top, top < 1 { throw ValidationError("--top takes 1 or more.") }
    }

    func run() async throws {
        try await runCommand {
            let service = try self.model.service()
            let report = Report(top: self.top, json: self.json)
            let progress = Progress(count: self.files.count)
            let failures = try await self.classify(with: service) { file, outcome in
                progress.clear()
                try report.show(file, outcome)
                progress.advance()
            }
            progress.clear()
            if failures > 0 { throw ExitCode.failure }
        }
    }

    /// Classifies all files, some at once, and shows each when those before it were shown.
    ///
    /// - Returns: The number of files of which it cannot be said what they show.
    private func classify(
        with service: any ImageClassifier,
        show: @escaping @Sendable (String, Report.Outcome) throws -> Void
    ) async throws -> Int {
        // Each file is held in memory, and each coroutine has a stack.
        let atOnce = 2 * ProcessInfo.processInfo.activeProcessorCount
        return try await withCoroutineScope { scope in
            func outcome(of file: String) -> CoFuture<Report.Outcome> {
                scope.future(on: DispatchQueue.global()) { try Self.outcome(of: file, service) }
            }
            var failures = 0
            var outcomes = self.files.prefix(atOnce).map(outcome)[...]
            var rest = self.files.dropFirst(atOnce)
            for file in self.files {
                guard let first = outcomes.popFirst() else { break }
                let result = try await first.value
                if let next = rest.popFirst() { outcomes.append(outcome(of: next)) }
                if case .failure = result { failures += 1 }
                try show(file, result)
            }
            return failures
        }
    }

    /// Synchronous code, which waits in a coroutine.
    private static func outcome(of file: String, _ service: any ImageClassifier) throws -> Report.Outcome {
        let picker = ImagePickerService(FilePicker(path: file, limits: PictureLimits()))
        let viewModel = ContentViewModel(imagePickerService: picker, imageClassifierService: service)
        return try Coroutine.await {
            do {
                try await viewModel.pickImage()
            } catch let error where !(error is CancellationError) {
                return .failure("\(error)")
            }
            return .success(await viewModel.caption, await viewModel.classification?.candidates ?? [])
        }
    }
}
