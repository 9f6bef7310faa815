// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CSpng
import CTurboJPEG
import CWebP

/// A picture for tests.
public struct Drawing: Sendable {
    /// A colour and its opacity.
    public struct Colour: Hashable, Sendable {
        /// Red, green, blue, opacity.
        public var values: [UInt8]

        /// Makes a colour.
        public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, opacity: UInt8 = 255) {
            self.values = [red, green, blue, opacity]
        }

        /// A bright red.
        public static let red = Self(250, 10, 10)
        /// A bright green.
        public static let green = Self(10, 250, 10)
        /// A bright blue.
        public static let blue = Self(10, 10, 250)
        /// A bright yellow.
        public static let yellow = Self(250, 250, 10)
    }

    /// A format of files.
    public enum Format: String, Sendable, CaseIterable {
        /// With loss.
        case jpeg
        /// Without.
        case png
        /// With loss.
        case webP
        /// Without.
        case webPLossless
    }

    /// The file cannot be made.
    public struct Failure: Error {}

    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int
    /// Red, green, blue and opacity of each pixel.
    public var pixels: [UInt8]

    /// Draws a picture, each pixel by its place.
    public init(width: Int, height: Int, _ colour: (_ x: Int, _ y: Int) -> Colour) {
        self.width = width
        self.height = height
        self.pixels = (0..<width * height).flatMap { colour($0 % width, $0 / width).values }
    }

    /// One colour all over.
    public init(_ colour: Colour, width: Int = 16, height: Int = 16) {
        self.init(width: width, height: height) { _, _ in colour }
    }

    /// Makes a file of it.
    public func file(_ format: Format) throws -> [UInt8] {
        switch format {
        case .jpeg: try self.jpeg()
        case .png: try self.png()
        case .webP: try self.webP { WebPEncodeRGBA($0, Int32(self.width), Int32(self.height), $1, 90, &$2) }
        case .webPLossless:
            try self.webP { WebPEncodeLosslessRGBA($0, Int32(self.width), Int32(self.height), $1, &$2) }
        }
    }

    /// A JPEG file, whose EXIF data say how it must be turned.
    public func jpeg(
        orientation: UInt8? = nil,
        isBigEndian: Bool = false,
        isProgressive: Bool = false
    ) throws -> [UInt8] {
        guard let encoder = tjInitCompress() else { throw Failure() }
        defer { tjDestroy(encoder) }
        var (bytes, count): (UnsafeMutablePointer<UInt8>?, UInt) = (nil, 0)
        let made = tjCompress2(
            encoder,
            self.pixels,
            Int32(self.width),
            0,
            Int32(self.height),
            Int32(TJPF_RGBA.rawValue),
            &bytes,
            &count,
            Int32(TJSAMP_444.rawValue),
            95,
            isProgressive ? TJFLAG_PROGRESSIVE : 0
        )
        guard made == 0, let bytes else { throw Failure() }
        defer { tjFree(bytes) }
        var file = Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
        if let orientation {
            let content = Array("Exif\0\0".utf8) + Self.exif(orientation, isBigEndian: isBigEndian)
            file.insert(contentsOf: [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content, at: 2)
        }
        return file
    }

    /// EXIF data with an orientation.
    public static func exif(_ orientation: UInt8, isBigEndian: Bool = false) -> [UInt8] {
        isBigEndian
            ? Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
            : Array("II".utf8) + [42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
    }

    /// A PNG file, whose EXIF data may say how it must be turned.
    public func png(orientation: UInt8? = nil) throws -> [UInt8] {
        guard let encoder = spng_ctx_new(Int32(SPNG_CTX_ENCODER.rawValue)) else { throw Failure() }
        defer { spng_ctx_free(encoder) }
        spng_set_option(encoder, SPNG_ENCODE_TO_BUFFER, 1)
        var header = spng_ihdr()
        (header.width, header.height) = (UInt32(self.width), UInt32(self.height))
        (header.bit_depth, header.color_type) = (8, UInt8(SPNG_COLOR_TYPE_TRUECOLOR_ALPHA.rawValue))
        guard spng_set_ihdr(encoder, &header) == 0 else { throw Failure() }
        if let orientation {
            var data = Self.exif(orientation).map { CChar(bitPattern: $0) }
            let status = data.withUnsafeMutableBufferPointer { data in
                var exif = spng_exif(length: data.count, data: data.baseAddress)
                return spng_set_exif(encoder, &exif)
            }
            guard status == 0 else { throw Failure() }
        }
        let format = Int32(SPNG_FMT_PNG.rawValue)
        let flags = Int32(SPNG_ENCODE_FINALIZE.rawValue)
        guard spng_encode_image(encoder, self.pixels, self.pixels.count, format, flags) == 0 else { throw Failure() }
        var (count, status) = (0, Int32(0))
        guard let bytes = spng_get_png_buffer(encoder, &count, &status) else { throw Failure() }
        defer { bytes.deallocate() }
        return Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    private func webP(
        _ encode: (UnsafePointer<UInt8>?, Int32, inout UnsafeMutablePointer<UInt8>?) -> Int
    ) throws -> [UInt8] {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = self.pixels.withUnsafeBufferPointer { encode($0.baseAddress, Int32(self.width * 4), &bytes) }
        guard count > 0, let bytes else { throw Failure() }
        defer { WebPFree(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}
