// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// How large a picture may be.
///
/// Looked at before there is memory for it.
public struct PictureLimits: Hashable, Sendable {
    /// Bytes of the file.
    public var bytes: Int

    /// Pixels of the picture; four bytes of memory each.
    public var pixels: Int

    /// Limits; by default those of a large photograph, with 160 MB of memory.
    public init(bytes: Int = 32 << 20, pixels: Int = 40_000_000) {
        self.bytes = bytes
        self.pixels = pixels
    }

    /// Bytes of memory, for the pixels and what must be kept until they are there.
    var memory: Int {
        let (bytes, isOverflow) = self.pixels.multipliedReportingOverflow(by: 4)
        return isOverflow ? .max : bytes
    }

    /// Fails if a picture is too large, and gives its bytes in memory otherwise.
    func memory(width: Int, height: Int) throws(PictureError) -> Int {
        guard width > 0, height > 0 else { throw PictureError(.damaged, "The picture has no pixels.") }
        let (pixels, isOverflow) = width.multipliedReportingOverflow(by: height)
        guard !isOverflow, pixels <= self.pixels else {
            throw PictureError(
                .tooLarge,
                "The picture has \(width) × \(height) pixels; \(self.pixels) are allowed."
            )
        }
        return pixels * 4
    }
}
