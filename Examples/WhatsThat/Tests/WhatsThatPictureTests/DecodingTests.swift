// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import PictureDecoding
import Testing
import WhatsThatTesting

@Suite("Decoding", .timeLimit(.minutes(10)))
struct DecodingTests {
    /// Four colours, which a format with loss keeps apart too, in a picture that is wider than high.
    private static let quarters = Drawing(width: 48, height: 32) { x, y in
        y < 16 ? (x < 24 ? .red : .green) : (x < 24 ? .blue : .yellow)
    }

    /// The colours in the middle of the four quarters: by rows, from the top.
    private static func corners(_ picture: Picture) -> [Drawing.Colour?] {
        [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y in
            let start = (picture.height * y / 4 * picture.width + picture.width * x / 4) * 4
            let pixel = picture.pixels[start..<start + 4]
            return [Drawing.Colour.red, .green, .blue, .yellow].first { colour in
                zip(colour.values, pixel).allSatisfy { abs(Int($0) - Int($1)) < 40 }
            }
        }
    }

    @Test(arguments: Drawing.Format.allCases)
    func `each format`(_ format: Drawing.Format) throws {
        let picture = try Picture(decoding: try Self.quarters.file(format))
        #expect(picture.width == 48)
        #expect(picture.height == 32)
        #expect(Self.corners(picture) == [.red, .green, .blue, .yellow])
    }

    @Test(arguments: [Drawing.Format.png, .webPLossless])
    func `formats without loss keep each pixel, and its opacity`(format: Drawing.Format) throws {
        let drawing = Drawing(width: 7, height: 5) { x, y in
            .init(UInt8(x * 30), UInt8(y * 50), 9, opacity: x == 3 ? 128 : 255)
        }
        #expect(try Picture(decoding: try drawing.file(format)).pixels == drawing.pixels)
    }

    /// By orientation, the quarters of what the camera saw, if the file has the first row's.
    private static let turns: [UInt8: [Drawing.Colour]] = [
        1: [.red, .green, .blue, .yellow], 2: [.green, .red, .yellow, .blue],
        3: [.yellow, .blue, .green, .red], 4: [.blue, .yellow, .red, .green],
        5: [.red, .blue, .green, .yellow], 6: [.blue, .red, .yellow, .green],
        7: [.yellow, .green, .blue, .red], 8: [.green, .yellow, .red, .blue],
        // What makes no sense is taken as upright.
        9: [.red, .green, .blue, .yellow],
    ]

    @Test(arguments: 1...9 as ClosedRange<UInt8>)
    func `it is turned as its EXIF data say`(_ orientation: UInt8) throws {
        let files = [
            try Self.quarters.jpeg(orientation: orientation),
            try Self.quarters.jpeg(orientation: orientation, isBigEndian: true),
            try Self.quarters.png(orientation: orientation),
        ]
        for file in files {
            let picture = try Picture(decoding: file)
            #expect(picture.width == ((5...8).contains(orientation) ? 32 : 48))
            #expect(Self.corners(picture) == Self.turns[orientation])
        }
    }

    @Test
    func `bytes that fill up before EXIF data, and a long orientation, are read`() throws {
        var filled = try Self.quarters.jpeg(orientation: 6)
        filled.insert(contentsOf: [0xFF, 0xFF, 0xFF], at: 2)
        var long = try Self.quarters.jpeg(orientation: 6)
        // The type of the entry, after the marker, the length, the name, the TIFF header and the entry's tag.
        #expect(long[24] == 3)
        long[24] = 4
        for file in [filled, long] {
            #expect(Self.corners(try Picture(decoding: file)) == [.blue, .red, .yellow, .green])
        }
    }

    @Test
    func `WebP too is turned as its EXIF data say`() throws {
        let exif = Array("EXIF".utf8) + [26, 0, 0, 0] + Drawing.exif(6)
        let picture = try Picture(decoding: try Self.quarters.file(.webP) + exif)
        #expect(Self.corners(picture) == [.blue, .red, .yellow, .green])
    }

    @Test
    func `of a large JPEG, only as much as is needed is made`() throws {
        let drawing = Drawing(width: 2400, height: 1800) { x, y in
            y < 900 ? (x < 1200 ? .red : .green) : (x < 1200 ? .blue : .yellow)
        }
        let picture = try Picture(decoding: try drawing.file(.jpeg))
        #expect(picture.width == 1200)
        #expect(picture.height == 900)
        #expect(Self.corners(picture) == [.red, .green, .blue, .yellow])
    }
}
