// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Foundation

/// Why there is no answer to a question.
///
/// Cancellation is not among the reasons: that is always `CancellationError`.
///
/// Minor releases may add cases.
public enum QuoteFetchError: Error, Sendable {
    /// The host's address is none that can be asked over HTTP.
    case invalidURL

    /// The server answered without a word.
    case missingData

    /// The server refused: the HTTP status, what the server said, and when it wants to be asked again.
    case status(Int, message: String? = nil, retryAfter: Duration? = nil)

    /// The answer is not what was expected: where in it, as `results[3].author`, and what is wrong there.
    case decoding(path: String, reason: String)

    /// The request did not get through, or the answer did not: the transport's own error.
    case connection(any Error)
}

extension QuoteFetchError: CustomStringConvertible, LocalizedError {
    /// What went wrong, in a sentence.
    public var description: String {
        switch self {
        case .invalidURL: "The host has no address like 'https://api.quotable.io'."
        case .missingData: "The server's answer is empty."
        case .status(let status, let message, let delay):
            "The server answered \(status)" + (message.map { ": \($0)." } ?? ".")
                + (delay.map { " It wants to be asked again in \($0)." } ?? "")
        case .decoding(let path, let reason):
            "The server's answer makes no sense\(path.isEmpty ? "" : " at \(path)"): \(reason)"
        case .connection(let error): "The server cannot be reached, or broke off: \(Self.words(for: error))."
        }
    }

    /// Foundation's errors describe themselves with all that they know.
    private static func words(for error: any Error) -> String {
        error is URLError ? error.localizedDescription : "\(error)"
    }

    /// The same as the description.
    public var errorDescription: String? { self.description }
}

extension QuoteFetchError {
    /// What a decoder complains about.
    init(_ error: DecodingError) {
        let (path, context) =
            switch error {
            case .keyNotFound(let key, let context): (context.codingPath + [key], context)
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
                (context.codingPath, context)
            @unknown default: ([], DecodingError.Context(codingPath: [], debugDescription: "\(error)"))
            }
        self = .decoding(path: Self.text(of: path), reason: context.debugDescription)
    }

    private static func text(of path: [any CodingKey]) -> String {
        path.reduce("") { text, key in
            if let index = key.intValue { return "\(text)[\(index)]" }
            return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
        }
    }
}
