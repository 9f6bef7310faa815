// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// The parts of a JPEG file that have a marker and a length; ends where something is wrong.
struct JPEGSegments: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var position = 2

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> (marker: UInt8, content: ArraySlice<UInt8>)? {
        self.skipPixels()
        // Any number of these may come before a marker.
        while self.position + 1 < self.bytes.count, self.bytes[self.position + 1] == 0xFF { self.position += 1 }
        guard self.position + 4 <= self.bytes.count else { return nil }
        let length = Int(self.bytes[self.position + 2]) << 8 | Int(self.bytes[self.position + 3])
        let end = self.position + 2 + length
        guard length >= 2, end <= self.bytes.count else { return nil }
        defer { self.position = end }
        return (self.bytes[self.position + 1], self.bytes[self.position + 4..<end])
    }

    /// Goes to the next marker with a length: among pixels there are 0xFF with a zero, and marks to begin anew.
    private mutating func skipPixels() {
        while self.position + 1 < self.bytes.count {
            let next = self.bytes[self.position + 1]
            if self.bytes[self.position] == 0xFF, next != 0, next != 1, !(0xD0...0xD7).contains(next) { return }
            self.position += 1
        }
        self.position = self.bytes.count
    }
}

/// What decoding a JPEG takes besides the pixels.
struct JPEGCosts {
    /// Bytes that libjpeg-turbo keeps until it has seen all scans; none if there is one scan.
    private(set) var memory = 0
    /// How often it goes over the picture.
    private(set) var scans = 0

    init(_ bytes: [UInt8]) {
        var (isProgressive, isSplit, whole, components) = (false, false, 0, 0)
        for (marker, content) in JPEGSegments(bytes) {
            let content = Array(content)
            switch marker {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                guard content.count >= 6, content.count >= 6 + 3 * Int(content[5]) else { return }
                isProgressive = isProgressive || [0xC2, 0xC6, 0xCA, 0xCE].contains(marker)
                components = Int(content[5])
                whole = max(whole, Self.coefficients(content))
            case 0xDA:
                self.scans += 1
                isSplit = isSplit || Int(content.first ?? 0) < components
            default: break
            }
        }
        if isProgressive || isSplit { self.memory = whole }
    }

    /// The bytes for all numbers of a frame: two for each, in blocks of 8 × 8.
    private static func coefficients(_ frame: [UInt8]) -> Int {
        let (height, width) = (Int(frame[1]) << 8 | Int(frame[2]), Int(frame[3]) << 8 | Int(frame[4]))
        let factors = (0..<Int(frame[5])).map { index in
            let factor = frame[7 + 3 * index]
            return (x: Int(factor >> 4), y: Int(factor & 15))
        }
        let (columns, rows) = (Swift.max(factors.map(\.x).max() ?? 1, 1), Swift.max(factors.map(\.y).max() ?? 1, 1))
        // In each direction, blocks are there for whole units of all components.
        let (across, down) = ((width + 8 * columns - 1) / (8 * columns), (height + 8 * rows - 1) / (8 * rows))
        return factors.reduce(0) { $0 + across * $1.x * down * $1.y * 128 }
    }
}
