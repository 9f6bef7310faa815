// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

public import Foundation

/// A callback from Foundation that reports neither the success nor the failure of a transfer.
///
/// Plain failures are Foundation's own: `URLError`. Cancellation is `CancellationError`.
public struct TransferError: Error {
    /// The kind of an error.
    ///
    /// Minor releases may add kinds.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case noAnswer = "the transfer ended with neither an answer nor an error"
            case noData = "the transfer ended without data"
            case noResponse = "the transfer ended without a response"
            case incomplete = "the transfer failed after data had come"
        }

        private let kind: Kind

        /// Neither data, nor a response, nor an error.
        public static var noAnswer: Self { Self(kind: .noAnswer) }

        /// A response, without data, file or error.
        public static var noData: Self { Self(kind: .noData) }

        /// Data or a file, without a response or an error.
        public static var noResponse: Self { Self(kind: .noResponse) }

        /// Data and an error: see ``TransferError/underlyingError`` and ``TransferError/partialData``.
        public static var incomplete: Self { Self(kind: .incomplete) }

        /// The kind in a few words.
        public var description: String { self.kind.rawValue }

        /// The number of the kind.
        ///
        /// Do not: change a number. Apps may have logged or compared it.
        var number: Int {
            switch self.kind {
            case .noAnswer: 1
            case .noData: 2
            case .noResponse: 3
            case .incomplete: 4
            }
        }
    }

    /// What went wrong.
    public let code: Code

    /// The error that came with the data, if any.
    public let underlyingError: (any Error)?

    /// The data that came with the error, if any.
    public let partialData: Data?

    init(_ code: Code, underlyingError: (any Error)? = nil, partialData: Data? = nil) {
        self.code = code
        self.underlyingError = underlyingError
        self.partialData = partialData
    }
}

extension TransferError: CustomStringConvertible {
    /// The error in a sentence.
    public var description: String {
        guard let error = self.underlyingError else { return "\(self.code)" }
        return "\(self.code): \(error)"
    }
}
