// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import PictureDecoding

/// Makes a model's input of pictures, as its manifest says.
///
/// Each number is the mean of a box of pixels. The boxes are those of the Python library Pillow, with which models are
/// trained.
struct PictureSampler {
    /// Where a number of source pixels goes to a number of target pixels.
    private struct Axis {
        var start: Int
        var count: Int
        var target: Range<Int>

        /// The source pixels of a target pixel: those whose middle is in its box, or the nearest one.
        func box(_ index: Int) -> Range<Int> {
            let (place, size) = (index - self.target.lowerBound, self.target.count)
            guard self.count > size else {
                let nearest = self.start + (2 * place + 1) * self.count / (2 * size)
                return nearest..<nearest + 1
            }
            // `place * count / size`, rounded.
            func edge(_ place: Int) -> Int { self.start + (2 * place * self.count + size) / (2 * size) }
            return edge(place)..<edge(place + 1)
        }
    }

    let manifest: ModelManifest

    /// The numbers for a picture.
    func values(of picture: Picture) -> [Float] {
        let (width, height) = (self.manifest.width, self.manifest.height)
        let (columns, rows) = self.axes(for: picture)
        let mean = self.manifest.mean
        let scale = self.manifest.scale
        // What is beside the picture is white.
        var colours = [Float](repeating: 255, count: width * height * 3)
        let boxes = columns.target.map(columns.box)
        picture.pixels.withUnsafeBufferPointer { pixels in
            for row in rows.target {
                let lines = rows.box(row)
                for (column, box) in zip(columns.target, boxes) {
                    let sums = Self.sums(pixels, picture.width, lines, box)
                    let count = Float(lines.count * box.count * 255)
                    let start = (row * width + column) * 3
                    colours[start] = Float(sums.red) / count
                    colours[start + 1] = Float(sums.green) / count
                    colours[start + 2] = Float(sums.blue) / count
                }
            }
        }
        var values = [Float](repeating: 0, count: colours.count)
        for pixel in 0..<width * height {
            for colour in 0..<3 {
                let value = (colours[pixel * 3 + colour] - mean[colour]) * scale[colour]
                let channel = self.manifest.order == .redFirst ? colour : 2 - colour
                switch self.manifest.layout {
                case .colourFirst: values[channel * width * height + pixel] = value
                case .colourLast: values[pixel * 3 + channel] = value
                }
            }
        }
        return values
    }

    /// The colours of a box, on white, times 255.
    private static func sums(
        _ pixels: UnsafeBufferPointer<UInt8>,
        _ width: Int,
        _ lines: Range<Int>,
        _ box: Range<Int>
    ) -> (red: Int, green: Int, blue: Int) {
        var (red, green, blue) = (0, 0, 0)
        for line in lines {
            var start = (line * width + box.lowerBound) * 4
            for _ in box {
                let opacity = Int(pixels[start + 3])
                let white = 255 * (255 - opacity)
                red += Int(pixels[start]) * opacity + white
                green += Int(pixels[start + 1]) * opacity + white
                blue += Int(pixels[start + 2]) * opacity + white
                start += 4
            }
        }
        return (red, green, blue)
    }

    private func axes(for picture: Picture) -> (columns: Axis, rows: Axis) {
        let (width, height) = (self.manifest.width, self.manifest.height)
        var columns = Axis(start: 0, count: picture.width, target: 0..<width)
        var rows = Axis(start: 0, count: picture.height, target: 0..<height)
        // Whether the picture is wider than the input.
        let isWider = picture.width * height > picture.height * width
        switch self.manifest.resize {
        case .stretch: break
        case .crop where isWider: columns = self.cropped(columns, to: picture.height * width / height)
        case .crop: rows = self.cropped(rows, to: picture.width * height / width)
        case .fit where isWider: rows = self.fitted(rows, to: picture.height * width / picture.width)
        case .fit: columns = self.fitted(columns, to: picture.width * height / picture.height)
        }
        return (columns, rows)
    }

    private func cropped(_ axis: Axis, to count: Int) -> Axis {
        let count = min(max(count, 1), axis.count)
        return Axis(start: (axis.count - count) / 2, count: count, target: axis.target)
    }

    private func fitted(_ axis: Axis, to count: Int) -> Axis {
        let count = min(max(count, 1), axis.target.count)
        let start = (axis.target.count - count) / 2
        return Axis(start: axis.start, count: axis.count, target: start..<start + count)
    }
}
