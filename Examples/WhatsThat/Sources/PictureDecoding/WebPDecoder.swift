// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CWebP

/// Decodes with libwebp; of an animation, nothing.
enum WebPDecoder {
    static func decode(_ bytes: [UInt8], _ limits: PictureLimits) throws(PictureError) -> Picture {
        var (width, height) = (Int32(0), Int32(0))
        guard WebPGetInfo(bytes, bytes.count, &width, &height) != 0 else { throw self.damaged }
        var pixels = [UInt8](repeating: 0, count: try limits.memory(width: Int(width), height: Int(height)))
        let size = pixels.count
        guard WebPDecodeRGBAInto(bytes, bytes.count, &pixels, size, width * 4) != nil else { throw self.damaged }
        let picture = Picture(width: Int(width), height: Int(height), pixels: pixels)
        return picture.turned(as: Orientation(webP: bytes))
    }

    private static let damaged = PictureError(.damaged, "The WebP picture is damaged, or an animation.")
}
