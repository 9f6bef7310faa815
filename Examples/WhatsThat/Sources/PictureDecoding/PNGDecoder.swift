// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CSpng

/// Decodes with libspng.
enum PNGDecoder {
    static func decode(_ bytes: [UInt8], _ limits: PictureLimits) throws(PictureError) -> Picture {
        guard let decoder = spng_ctx_new(0) else { throw PictureError(.damaged, "libspng cannot be started.") }
        defer { spng_ctx_free(decoder) }
        // Of one chunk, and of all that are kept: a text of gigabytes is an attack.
        try self.check(spng_set_chunk_limits(decoder, 1 << 20, 1 << 22))
        return try bytes.withUnsafeBufferPointer { (bytes) throws(PictureError) in
            try self.check(spng_set_png_buffer(decoder, bytes.baseAddress, bytes.count))
            var header = spng_ihdr()
            try self.check(spng_get_ihdr(decoder, &header))
            let (width, height) = (Int(header.width), Int(header.height))
            let memory = try limits.memory(width: width, height: height)
            let format = Int32(SPNG_FMT_RGBA8.rawValue)
            var size = 0
            try self.check(spng_decoded_image_size(decoder, format, &size))
            guard size == memory else { throw PictureError(.damaged, "The PNG picture is damaged.") }
            var pixels = [UInt8](repeating: 0, count: size)
            try self.check(
                spng_decode_image(decoder, &pixels, size, format, Int32(SPNG_DECODE_TRNS.rawValue))
            )
            let picture = Picture(width: width, height: height, pixels: pixels)
            return picture.turned(as: self.orientation(decoder))
        }
    }

    private static func orientation(_ decoder: OpaquePointer) -> Orientation {
        var exif = spng_exif()
        guard spng_get_exif(decoder, &exif) == 0 else { return .upright }
        // Safe: the decoder has so many bytes there until it is freed.
        return Orientation(exif: Array(UnsafeRawBufferPointer(start: exif.data, count: exif.length)))
    }

    private static func check(_ status: Int32) throws(PictureError) {
        guard status != 0 else { return }
        let reason = String(cString: spng_strerror(status))
        if [SPNG_ECHUNK_LIMITS, SPNG_EOVERFLOW, SPNG_EMEM].contains(where: { status == Int32($0.rawValue) }) {
            throw PictureError(.tooLarge, "The PNG picture is too large: \(reason).")
        }
        throw PictureError(.damaged, "The PNG picture is damaged: \(reason).")
    }
}
