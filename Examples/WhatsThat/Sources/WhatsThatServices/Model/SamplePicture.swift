// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import CWhatsThatModel

/// A picture that ships with the example, to try it with.
public struct SamplePicture: Sendable {
    /// The name of its file, with `jpg`, `png` or `webp` at the end.
    public let name: String
    /// Its file's bytes.
    public let bytes: [UInt8]

    /// All that were there when this was compiled.
    public static let all: [Self] = {
        var all: [Self] = []
        while true {
            let sample = whatsthat_sample(all.count)
            let name = String(cString: sample.name)
            if name.isEmpty { return all.filter { !$0.bytes.isEmpty } }
            all.append(
                Self(name: name, bytes: Array(UnsafeBufferPointer(start: sample.file.start, count: sample.file.length)))
            )
        }
    }()
}
