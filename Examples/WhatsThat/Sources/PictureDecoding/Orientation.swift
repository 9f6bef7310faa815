// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// How a camera was held, as the EXIF data of a picture say.
enum Orientation: UInt16 {
    case upright = 1
    case mirrored
    case upsideDown
    case upsideDownMirrored
    case leftMirrored
    case right
    case rightMirrored
    case left

    /// Whether the picture lies on its side.
    var swapsSides: Bool { self.rawValue >= Self.leftMirrored.rawValue }
}

extension Orientation {
    /// Finds it in EXIF data; what makes no sense is taken as upright.
    ///
    /// - Parameter bytes: The data, from their byte order on.
    init(exif bytes: some RandomAccessCollection<UInt8>) {
        let data = EXIFReader(Array(bytes))
        self = data.orientation().flatMap { Self(rawValue: $0) } ?? .upright
    }

    /// Finds it in a JPEG picture, before its pixels.
    init(jpeg bytes: [UInt8]) {
        for segment in JPEGSegments(bytes) {
            // The pixels begin.
            if segment.marker == 0xDA { break }
            if segment.marker == 0xE1, segment.content.starts(with: Array("Exif\0\0".utf8)) {
                self.init(exif: segment.content.dropFirst(6))
                return
            }
        }
        self = .upright
    }

    /// Finds it in a WebP picture.
    init(webP bytes: [UInt8]) {
        var position = 12
        while position + 8 <= bytes.count {
            let length = (0..<4).reduce(0) { $0 | Int(bytes[position + 4 + $1]) << ($1 * 8) }
            let end = position + 8 + length
            guard end <= bytes.count else { break }
            if bytes[position..<position + 4].elementsEqual("EXIF".utf8) {
                let content = bytes[position + 8..<end]
                // Some programs write the name that JPEG needs here too.
                self.init(exif: content.starts(with: Array("Exif\0\0".utf8)) ? content.dropFirst(6) : content)
                return
            }
            position = end + length % 2
        }
        self = .upright
    }
}

/// Reads the first directory of EXIF data, which are a TIFF file without a picture.
private struct EXIFReader {
    private let bytes: [UInt8]
    private let isBigEndian: Bool

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        self.isBigEndian = bytes.starts(with: "MM".utf8)
    }

    func orientation() -> UInt16? {
        guard let start = self.number(at: 4, size: 4), let count = self.number(at: start, size: 2) else { return nil }
        for index in 0..<count {
            let entry = start + 2 + index * 12
            guard self.number(at: entry, size: 2) == 0x0112 else { continue }
            // The entry's value: a number of two bytes, or of four, as some programs have it.
            switch self.number(at: entry + 2, size: 2) {
            case 3: return self.number(at: entry + 8, size: 2).flatMap(UInt16.init(exactly:))
            case 4: return self.number(at: entry + 8, size: 4).flatMap(UInt16.init(exactly:))
            default: break
            }
        }
        return nil
    }

    private func number(at start: Int, size: Int) -> Int? {
        guard start >= 0, start + size <= self.bytes.count else { return nil }
        let digits = self.bytes[start..<start + size]
        return (self.isBigEndian ? Array(digits) : digits.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }
}

extension Picture {
    /// The picture, upright.
    func turned(as orientation: Orientation) -> Picture {
        guard orientation != .upright else { return self }
        let (width, height) =
            orientation.swapsSides ? (self.height, self.width) : (self.width, self.height)
        var turned = [UInt8](repeating: 0, count: self.pixels.count)
        self.pixels.withUnsafeBytes { source in
            turned.withUnsafeMutableBytes { target in
                for row in 0..<height {
                    for column in 0..<width {
                        let (x, y) = self.place(of: column, row, orientation)
                        let pixel = source.load(fromByteOffset: (y * self.width + x) * 4, as: UInt32.self)
                        target.storeBytes(of: pixel, toByteOffset: (row * width + column) * 4, as: UInt32.self)
                    }
                }
            }
        }
        return Picture(width: width, height: height, pixels: turned)
    }

    /// Where a pixel of the upright picture is in this one.
    private func place(of column: Int, _ row: Int, _ orientation: Orientation) -> (x: Int, y: Int) {
        let (right, bottom) = (self.width - 1, self.height - 1)
        return switch orientation {
        case .upright: (column, row)
        case .mirrored: (right - column, row)
        case .upsideDown: (right - column, bottom - row)
        case .upsideDownMirrored: (column, bottom - row)
        case .leftMirrored: (row, column)
        case .right: (row, bottom - column)
        case .rightMirrored: (right - row, bottom - column)
        case .left: (right - row, column)
        }
    }
}
