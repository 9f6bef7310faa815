// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// "Progress and a completion": an API that reports progress many times and calls back once.

import AsyncBridge
import Dispatch

// snippet.CLOSURE
extension Downloader {
    func file(
        _ name: String,
        onProgress: @escaping @Sendable (Double) -> Void
    ) async throws -> File {
        try await withCallback { callback in
            self.download(name, progress: onProgress, completion: callback.handler())
        } onCancel: { download in
            download.cancel()
        }
    }
}
// snippet.end

// snippet.SEQUENCE
enum DownloadEvent: Sendable {
    case progress(Double)
    case finished(File)
}

extension Downloader {
    func events(_ name: String) -> CallbackSequence<DownloadEvent, any Error> {
        CallbackSequence { sink in
            let download = self.download(name, progress: sink.handler { .progress($0) }) { result in
                switch result {
                case .success(let file):
                    sink.yield(.finished(file))
                    sink.finish()
                case .failure(let error):
                    sink.fail(error)
                }
            }
            return { download.cancel() }
        }
    }
}
// snippet.end

// snippet.BOTH
extension Downloader {
    /// The newest progress, for any loop, and the file, for one caller.
    func file(_ name: String, showing: @escaping @MainActor (Double) -> Void) async throws -> File {
        let (progress, sink) = CallbackSequence<Double, Never>.makeSequence(buffering: .newest(capacity: 1))
        let shown = Task { @MainActor in for await fraction in progress { showing(fraction) } }
        // Ends the loop on each path: the answer, an error, a cancellation.
        defer { sink.finish() }
        let file = try await self.file(name) { fraction in sink.yield(fraction) }
        sink.finish()
        await shown.value
        return file
    }
}
// snippet.end

func report(_ downloader: Downloader) async throws {
    // snippet.LOOP
    for try await event in downloader.events("quotes") {
        switch event {
        case .progress(let fraction): show("\(fraction)")
        case .finished(let file): show(file.name)
        }
    }
    // snippet.end
}

let downloader = Downloader()
print(try await downloader.file("poems", onProgress: { _ in }).name)
try await report(downloader)
print(try await downloader.file("plays", showing: { fraction in if fraction == 1 { print("all of it") } }).name)

// snippet.hide
// MARK: - Stand-ins

struct File: Sendable {
    let name: String
}

struct Download: Sendable {
    func cancel() {}
}

struct Downloader: Sendable {
    func download(
        _ name: String,
        progress: @escaping @Sendable (Double) -> Void,
        completion: @escaping @Sendable (Result<File, any Error>) -> Void
    ) -> Download {
        DispatchQueue.global().async {
            progress(0.5)
            progress(1)
            completion(.success(File(name: name)))
        }
        return Download()
    }
}

func show(_ text: String) { print(text) }
