// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// What a line from a client asks for.
///
/// | Line | Answer |
/// |---|---|
/// | `/join NAME` | enters the room: from now on all in the room hear each line of this client |
/// | `/count N` | the numbers from 1 to N, a line each |
/// | `/quit` | the end of the connection |
/// | `/…` | what is wrong with it |
/// | any other | the same line; in the room, `NAME: LINE` for all who are there |
enum Command: Equatable {
    case say(String)
    case join(name: String)
    case count(to: Int)
    case quit
    case wrong(complaint: String)

    /// Longest name in the room, in characters.
    private static let longestName = 32

    init(_ line: String) {
        guard line.utf8.first == UInt8(ascii: "/") else {
            self = .say(line)
            return
        }
        let words = line.split(separator: " ", maxSplits: 1)
        switch (words[0], words.count == 2 ? words[1] : nil) {
        case ("/join", let name?):
            self =
                name.count <= Self.longestName
                ? .join(name: String(name)) : .wrong(complaint: "? a name has at most \(Self.longestName) characters")
        case ("/join", nil):
            self = .wrong(complaint: "? who is it? /join NAME")
        case ("/count", let count):
            if let count = count.flatMap({ Int($0) }), count >= 0 {
                self = .count(to: count)
            } else {
                self = .wrong(complaint: "? how far? /count N")
            }
        case ("/quit", nil):
            self = .quit
        case (let word, _):
            self = .wrong(complaint: "? there is no \(word); there are /join NAME, /count N and /quit")
        }
    }
}
