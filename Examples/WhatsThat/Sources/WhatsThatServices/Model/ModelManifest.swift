// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// How pictures become a model's input, and its output a caption.
///
/// As JSON; all but `width` and `height` may be left out.
public struct ModelManifest: Hashable, Sendable, Codable {
    /// The order of the input's dimensions.
    public enum Layout: String, Hashable, Sendable, Codable {
        /// Colours, rows, columns.
        case colourFirst = "NCHW"
        /// Rows, columns, colours.
        case colourLast = "NHWC"
    }

    /// The order of the colours.
    public enum Order: String, Hashable, Sendable, Codable {
        /// Red first.
        case redFirst = "RGB"
        /// Blue first.
        case blueFirst = "BGR"
    }

    /// How a picture of another shape is made to fit.
    public enum Resize: String, Hashable, Sendable, Codable {
        /// Its sides are changed, each on its own.
        case stretch
        /// Its middle is taken.
        case crop
        /// All of it is taken, with white beside it.
        case fit
    }

    /// Columns of the input.
    public var width: Int
    /// Rows of the input.
    public var height: Int
    /// The order of the input's dimensions.
    public var layout = Layout.colourFirst
    /// Of each colour, what is subtracted from its 0 to 255.
    public var mean: [Float] = [0, 0, 0]
    /// Of each colour, what the difference is multiplied by.
    public var scale: [Float] = [1, 1, 1]
    /// The order of the colours; `mean` and `scale` are always red, green, blue.
    public var order = Order.redFirst
    /// How a picture of another shape is made to fit.
    public var resize = Resize.stretch
    /// Whether the outputs are logits, which become probabilities by softmax.
    public var softmax = false
    /// The label that means that nothing was recognised.
    public var nothing: String?
    /// The probability below which nothing was recognised.
    public var threshold: Float = 0

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case width, height, layout, mean, scale, order, resize, softmax, nothing, threshold
    }

    /// What the JSON may have.
    static var keys: [String] { CodingKeys.allCases.map(\.rawValue) }

    /// The key that a wrong one is most alike.
    static func nearest(to key: String) -> String {
        // Invariant: there are keys.
        self.keys.min { self.distance($0, key) < self.distance($1, key) } ?? ""
    }

    /// How many letters must be put in or taken out.
    private static func distance(_ first: String, _ second: String) -> Int {
        Array(first).difference(from: Array(second.lowercased())).count
    }

    /// A manifest for pictures of a size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Reads what there is.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            width: try values.decode(Int.self, forKey: .width),
            height: try values.decode(Int.self, forKey: .height)
        )
        self.layout = try values.decodeIfPresent(Layout.self, forKey: .layout) ?? self.layout
        self.mean = try values.decodeIfPresent([Float].self, forKey: .mean) ?? self.mean
        self.scale = try values.decodeIfPresent([Float].self, forKey: .scale) ?? self.scale
        self.order = try values.decodeIfPresent(Order.self, forKey: .order) ?? self.order
        self.resize = try values.decodeIfPresent(Resize.self, forKey: .resize) ?? self.resize
        self.softmax = try values.decodeIfPresent(Bool.self, forKey: .softmax) ?? self.softmax
        self.nothing = try values.decodeIfPresent(String.self, forKey: .nothing)
        self.threshold = try values.decodeIfPresent(Float.self, forKey: .threshold) ?? self.threshold
    }
}

extension ModelManifest {
    /// The shape of the input, for one picture.
    var shape: [Int] {
        switch self.layout {
        case .colourFirst: [1, 3, self.height, self.width]
        case .colourLast: [1, self.height, self.width, 3]
        }
    }

    /// Fails if the numbers make no sense.
    func check() throws(ClassifierError) {
        guard (1...4096).contains(self.width), (1...4096).contains(self.height) else {
            throw ClassifierError(.unreadableFile, "The manifest's width and height must be 1 to 4096.")
        }
        guard self.mean.count == 3, self.scale.count == 3 else {
            throw ClassifierError(.unreadableFile, "The manifest's mean and scale must have three numbers each.")
        }
        guard (self.mean + self.scale).allSatisfy(\.isFinite), !self.scale.contains(0) else {
            throw ClassifierError(.unreadableFile, "The manifest's scale must not be 0, nor any number endless.")
        }
        guard (0...1).contains(self.threshold) else {
            throw ClassifierError(.unreadableFile, "The manifest's threshold must be 0 to 1.")
        }
    }
}
