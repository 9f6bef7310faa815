// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Most files have nothing to check: looking for a few words is many times faster than parsing.
enum Prefilter {
    static func contains(_ words: [StaticString], in text: String) -> Bool {
        var text = text
        return text.withUTF8 { unsafe contains(words, in: $0) }
    }

    static func contains(_ words: [StaticString], in text: [UInt8]) -> Bool {
        unsafe text.withUnsafeBufferPointer { unsafe contains(words, in: $0) }
    }

    /// Words have three bytes at least, and are sixteen at most.
    private static func contains(_ words: [StaticString], in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // For each value of a first, second and third byte, a bit for each word that has it there.
        var masks = [UInt16](repeating: 0, count: 3 * 256)
        for (index, word) in words.enumerated() {
            for place in 0..<3 { masks[place * 256 + Int(unsafe word.utf8Start[place])] |= 1 << UInt16(index) }
        }
        guard bytes.count >= 3 else { return false }
        return unsafe masks.withUnsafeBufferPointer { masks in
            for index in 0..<(bytes.count - 2) {
                var found = unsafe masks[Int(bytes[index])] & masks[256 + Int(bytes[index + 1])]
                guard found != 0 else { continue }
                unsafe found &= masks[512 + Int(bytes[index + 2])]
                while found != 0 {
                    if unsafe words[found.trailingZeroBitCount].matches(bytes, at: index) { return true }
                    found &= found - 1
                }
            }
            return false
        }
    }
}

extension StaticString {
    /// Whether a text has it at an offset.
    fileprivate func matches(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
        guard offset + utf8CodeUnitCount <= bytes.count else { return false }
        for index in 0..<utf8CodeUnitCount where unsafe bytes[offset + index] != utf8Start[index] { return false }
        return true
    }
}

extension Analysis {
    /// Whether a text is a test's, wherever it is: only tests import what is internal.
    package static func isTest(_ text: String) -> Bool { Prefilter.contains(["@testable import"], in: text) }

    /// Whether a text can have a finding at all.
    package static func isWorthParsing(_ text: String, profile: Profile) -> Bool {
        profile == .strict
            // Semaphores and groups are waited for, whatever they are called.
            || Prefilter.contains(Names.words + ["wait", "asyncbridge:"], in: text)
    }
}

extension Knowledge {
    /// Whether a text can tell something that other files need.
    package static func isWorthParsing(_ text: String) -> Bool {
        Prefilter.contains(Names.words + ["typealias", "-> Never", "exit("], in: text)
    }

    /// Adds what another file tells.
    package mutating func merge(_ other: Knowledge) {
        summaries.merge(other.summaries)
        handlerTypes.formUnion(other.handlerTypes)
        optionalHandlerTypes.formUnion(other.optionalHandlerTypes)
        continuationTypes.formUnion(other.continuationTypes)
        neverReturning.formUnion(other.neverReturning)
        returning.formUnion(other.returning)
    }
}
