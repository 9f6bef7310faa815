// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A decoded picture, upright.
public struct Picture: Hashable, Sendable {
    /// In pixels.
    public let width: Int

    /// In pixels.
    public let height: Int

    /// Red, green, blue and opacity of each pixel, by rows, from the top.
    public let pixels: [UInt8]

    init(width: Int, height: Int, pixels: [UInt8]) {
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// Decodes a JPEG, PNG or WebP picture, and turns it as its EXIF data says.
    ///
    /// Of JPEGs with more than four million pixels only a half, a quarter or an eighth of the rows and columns are
    /// made, but so many that there are a million pixels or more.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - limits: How large it may be.
    /// - Throws: ``PictureError``.
    public init(decoding bytes: [UInt8], limits: PictureLimits = PictureLimits()) throws(PictureError) {
        guard bytes.count <= limits.bytes else {
            // Who reads files stops there.
            throw PictureError(.tooLarge, "The file has more than \(limits.bytes) bytes.")
        }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = try JPEGDecoder.decode(bytes, limits)
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            self = try PNGDecoder.decode(bytes, limits)
        } else if bytes.count >= 12, bytes.starts(with: "RIFF".utf8), bytes[8..<12].elementsEqual("WEBP".utf8) {
            self = try WebPDecoder.decode(bytes, limits)
        } else {
            throw .notAPicture
        }
    }
}
