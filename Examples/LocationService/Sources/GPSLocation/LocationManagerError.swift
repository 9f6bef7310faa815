// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What a location manager tells its delegate when there is no location.
public struct LocationManagerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of an error, named as in CoreLocation where that has one.
    public struct Code: Hashable, Sendable {
        private enum Kind { case locationUnknown, denied, network, malformedData }

        private let kind: Kind

        /// No receiver has a fix at this moment.
        ///
        /// The manager goes on, and a location may come.
        public static var locationUnknown: Self { Self(kind: .locationUnknown) }

        /// The user does not allow it.
        public static var denied: Self { Self(kind: .denied) }

        /// The daemon cannot be reached, or is gone.
        ///
        /// The manager tries again.
        public static var network: Self { Self(kind: .network) }

        /// The daemon says what makes no sense.
        ///
        /// The manager connects anew.
        public static var malformedData: Self { Self(kind: .malformedData) }
    }

    /// The kind.
    public let code: Code

    /// What happened, and where, in a sentence without control characters.
    public let description: String

    init(_ code: Code, _ description: String) {
        (self.code, self.description) = (code, description.plain)
    }
}

extension String {
    /// The text without what could steer a terminal, and not too long: part of it may come from the wire.
    var plain: String {
        let isPlain = { (scalar: Unicode.Scalar) in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        return String(String.UnicodeScalarView(self.unicodeScalars.filter(isPlain).prefix(300)))
    }

    /// The text in quotation marks, cut off after so many characters, which is shown inside them.
    func quoted(_ count: Int) -> String {
        let text = self.plain
        return text.count > count ? "'\(text.prefix(count))…'" : "'\(text)'"
    }
}
