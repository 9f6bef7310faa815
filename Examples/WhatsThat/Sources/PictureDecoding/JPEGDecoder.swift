// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CTurboJPEG

/// Decodes with libjpeg-turbo.
enum JPEGDecoder {
    /// How many scans a picture may have.
    ///
    /// Programs write about ten, and hundreds take seconds.
    private static let scans = 100

    static func decode(_ bytes: [UInt8], _ limits: PictureLimits) throws(PictureError) -> Picture {
        guard let decoder = tjInitDecompress() else {
            throw PictureError(.damaged, "libjpeg-turbo cannot be started.")
        }
        defer { tjDestroy(decoder) }
        var (width, height, subsampling, colours) = (Int32(0), Int32(0), Int32(0), Int32(0))
        let found = tjDecompressHeader3(
            decoder,
            bytes,
            UInt(bytes.count),
            &width,
            &height,
            &subsampling,
            &colours
        )
        guard found == 0 else { throw self.error(decoder) }
        _ = try limits.memory(width: Int(width), height: Int(height))
        let part = self.part(width: Int(width), height: Int(height))
        let costs = JPEGCosts(bytes)
        guard costs.scans <= self.scans else {
            throw PictureError(.tooLarge, "The picture has \(costs.scans) scans; \(self.scans) are allowed.")
        }
        (width, height) = ((width + part - 1) / part, (height + part - 1) / part)

        // libjpeg-turbo leaves the four inks of printing as they are.
        let hasInks = colours == TJCS_CMYK.rawValue || colours == TJCS_YCCK.rawValue
        let size = try limits.memory(width: Int(width), height: Int(height))
        guard size + costs.memory <= limits.memory else {
            throw PictureError(
                .tooLarge,
                "The progressive picture is too large: it takes \(costs.memory >> 20) MB more."
            )
        }
        var pixels = [UInt8](repeating: 0, count: size)
        let decoded = tjDecompress2(
            decoder,
            bytes,
            UInt(bytes.count),
            &pixels,
            width,
            0,
            height,
            Int32(hasInks ? TJPF_CMYK.rawValue : TJPF_RGBA.rawValue),
            // A picture of thousands of scans takes minutes.
            TJFLAG_LIMITSCANS
        )
        // Warnings too: a picture that is cut off is one.
        guard decoded == 0 else { throw self.error(decoder) }
        if hasInks { self.mixInks(&pixels) }
        let picture = Picture(width: Int(width), height: Int(height), pixels: pixels)
        return picture.turned(as: Orientation(jpeg: bytes))
    }

    /// Which part of a large picture's rows and columns is made.
    private static func part(width: Int, height: Int) -> Int32 {
        guard width * height > 4_000_000 else { return 1 }
        return [8, 4, 2].first { width / Int($0) * (height / Int($0)) >= 1_000_000 } ?? 1
    }

    private static func mixInks(_ pixels: inout [UInt8]) {
        for start in stride(from: 0, to: pixels.count, by: 4) {
            let black = UInt16(pixels[start + 3])
            for index in start..<start + 3 { pixels[index] = UInt8(UInt16(pixels[index]) * black / 255) }
            pixels[start + 3] = 255
        }
    }

    private static func error(_ decoder: tjhandle) -> PictureError {
        PictureError(.damaged, "The JPEG picture is damaged: \(String(cString: tjGetErrorStr2(decoder))).")
    }
}
