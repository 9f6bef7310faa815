// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import PictureDecoding
import Testing
import WhatsThatTesting

@Suite("Pictures that are none, or too much", .timeLimit(.minutes(10)))
struct HostilePictureTests {
    private static let drawing = Drawing(width: 24, height: 20) { x, y in .init(UInt8(x * 10), UInt8(y * 12), 99) }

    private func code(_ file: [UInt8], limits: PictureLimits = PictureLimits()) -> PictureError.Code? {
        do throws(PictureError) {
            _ = try Picture(decoding: file, limits: limits)
            return nil
        } catch {
            #expect(!error.description.isEmpty)
            return error.code
        }
    }

    @Test(arguments: [[], Array("hello".utf8), Array("GIF89a".utf8), Array("RIFF....WAVE".utf8), [0xFF], [0x89, 0x50]]
    )
    func `what is of no known format is said to be none`(file: [UInt8]) {
        #expect(self.code(file) == .notAPicture)
    }

    @Test(arguments: Drawing.Format.allCases)
    func `each file that is cut off is damaged`(format: Drawing.Format) throws {
        let file = try Self.drawing.file(format)
        #expect(self.code(file) == nil)
        // The first bytes tell the format. PNG ends with a piece of 12 bytes that has nothing to say, JPEG with a mark.
        let begin = format == .webP || format == .webPLossless ? 12 : 4
        for count in begin..<file.count - 16 { #expect(self.code(Array(file[..<count])) == .damaged, "\(count)") }
    }

    @Test
    func `a wrong checksum is noticed`() throws {
        var file = try Self.drawing.file(.png)
        // In the middle of the pixels.
        file[file.count / 2] ^= 1
        #expect(self.code(file) == .damaged)
    }

    @Test
    func `a file with more bytes than allowed is not looked at`() throws {
        let file = try Self.drawing.file(.png)
        #expect(self.code(file, limits: PictureLimits(bytes: file.count)) == nil)
        #expect(self.code(file, limits: PictureLimits(bytes: file.count - 1)) == .tooLarge)
    }

    @Test(arguments: Drawing.Format.allCases)
    func `a picture with more pixels than allowed is not decoded`(format: Drawing.Format) throws {
        let file = try Self.drawing.file(format)
        #expect(self.code(file, limits: PictureLimits(pixels: 24 * 20)) == nil)
        #expect(self.code(file, limits: PictureLimits(pixels: 24 * 20 - 1)) == .tooLarge)
    }

    /// Some bytes that claim to be gigabytes: there is no memory for them.
    @Test
    func bombs() throws {
        // The width and height of PNG stand at 16, in four bytes each; their checksum at 29.
        var png = try Drawing(.red).file(.png)
        png.replaceSubrange(16..<24, with: [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60])
        let checksum = Self.checksum(png[12..<29])
        png.replaceSubrange(29..<33, with: (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (24 - $0 * 8)) })
        #expect(self.code(png) == .tooLarge)

        // Those of JPEG follow the mark FF C0, a length of two bytes and a depth of one.
        var jpeg = try Drawing(.red).file(.jpeg)
        let mark = try #require(jpeg.indices.dropLast().first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
        jpeg.replaceSubrange(mark + 5..<mark + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])
        #expect(self.code(jpeg) == .tooLarge)

        // Those of WebP without loss are 14 bits each, after its name and one more byte.
        var webP = try Drawing(.red).file(.webPLossless)
        webP.replaceSubrange(21..<25, with: [0xFF, 0xFF, 0xFF, webP[24] | 0x0F])
        #expect(self.code(webP) == .tooLarge)
    }

    @Test
    func `a PNG of the greatest sides is too large`() throws {
        var vast = try Drawing(.red).file(.png)
        vast.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
        let checksum = Self.checksum(vast[12..<29])
        vast.replaceSubrange(29..<33, with: (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (24 - $0 * 8)) })
        #expect(self.code(vast) == .tooLarge)
    }

    @Test
    func `what a progressive JPEG keeps in memory is counted, and so are its scans`() throws {
        // 64 × 64 pixels of three whole components: 16 KB, and 24 KB of numbers.
        let drawing = Drawing(width: 64, height: 64) { x, y in .init(UInt8(x * 4), UInt8(y * 4), 9) }
        let (plain, progressive) = (try drawing.jpeg(), try drawing.jpeg(isProgressive: true))
        #expect(self.code(plain, limits: PictureLimits(pixels: 64 * 64)) == nil)
        #expect(self.code(progressive, limits: PictureLimits(pixels: 64 * 64)) == .tooLarge)
        #expect(self.code(progressive, limits: PictureLimits(pixels: 64 * 160)) == nil)
        #expect(self.code(progressive, limits: PictureLimits(pixels: 64 * 160 - 1)) == .tooLarge)

        let start = try #require(progressive.indices.last { progressive[$0...].starts(with: [0xFF, 0xDA]) })
        let scan = progressive[start...].dropLast(2)
        #expect(
            self.code(progressive.dropLast(2) + Array(repeating: scan, count: 100).joined() + [0xFF, 0xD9]) == .tooLarge
        )
    }

    /// The checksum of PNG's pieces.
    private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(UInt32.max) { checksum, byte in
            (0..<8).reduce(checksum ^ UInt32(byte)) { rest, _ in rest >> 1 ^ (rest & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
    }

    @Test(
        arguments: Drawing.Format.allCases
    )
    func `2,000 pictures that are damaged at random end with a picture or an error`(format: Drawing.Format) throws {
        var random = SplitMix(seed: 2026)
        let file = format == .jpeg ? try Self.drawing.jpeg(orientation: 6) : try Self.drawing.file(format)
        let limits = PictureLimits(pixels: 1_000_000)
        var (pictures, errors) = (0, 0)
        for _ in 0..<500 {
            do throws(PictureError) {
                let picture = try Picture(decoding: random.damaged(file), limits: limits)
                #expect(picture.pixels.count == picture.width * picture.height * 4)
                #expect(picture.width * picture.height <= limits.pixels)
                pictures += 1
            } catch {
                errors += 1
            }
        }
        // Both happen, else the files would be damaged too little or too much.
        #expect(pictures > 0)
        #expect(errors > 100)
    }
}
