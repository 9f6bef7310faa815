// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Random numbers that are the same in each run.
public struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    /// Begins a sequence.
    public init(seed: UInt64) { self.state = seed }

    /// The next number.
    public mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var bits = self.state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// What becomes of a file that is damaged: some bytes are changed, left out, or repeated, or the end is missing.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - count: At most so many places are damaged.
    /// - Returns: What is left of it.
    public mutating func damaged(_ file: [UInt8], places count: Int = 8) -> [UInt8] {
        var file = file
        for _ in 0..<Int.random(in: 1...count, using: &self) where !file.isEmpty {
            let place = Int.random(in: 0..<file.count, using: &self)
            switch Int.random(in: 0..<6, using: &self) {
            case 0: file[place] = UInt8.random(in: .min ... .max, using: &self)
            case 1: file[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 2: file[place] = [0, 0x7F, 0x80, 0xFF].randomElement(using: &self) ?? 0
            case 3: file.removeSubrange(place..<min(file.count, place + Int.random(in: 1...16, using: &self)))
            case 4: file.insert(contentsOf: file[place..<min(file.count, place + 16)], at: place)
            default: file.removeSubrange(place...)
            }
        }
        return file
    }
}
