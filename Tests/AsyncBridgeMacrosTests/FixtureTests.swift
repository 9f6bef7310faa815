// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import BridgedFixtures
import BridgedInSwift5
import BridgedInSwift5Nonsending
import BridgedInSwift6
import Testing

/// Twins of every row, compiled in four language modes, called.
@Suite(.timeLimit(.minutes(10)))
struct FixtureTests {
    private static let expected: [String: [String]] = [
        "Client": [
            "Quote(text: \"1, 3\")", "2", "Quote(text: \"3\")", "Quote(text: \"first\")",
            "(data: \"data\", status: 200)",
            "(data: \"labelled\", status: 201)", "false", "7", "1", "nil", "(line: 1, column: 2)", "(1, \"2\", [3])",
            "Quote(text: \"voted\")", "8", "9", "10", "(8, 9)", "(1, \"two\", true)", "11", "1", "-4", "-5",
            "the callback came with neither a value nor an error", "-6", "-7",
            "the callback came with neither a value nor an error",
        ],
        "Functions": [
            "[20, 21, 22, 23, 1, 1, 26, 27, 24, 28, 29, 30]", "1", "2", "3", "1", "12", "3", "1", "4", "1", "3", "5",
            "6", "7",
            "(default: 1, in: 2, where: 7, self: 5)", "[1, 2, 3, 4, 5, 6]", "3", "8", "9", "11", "1",
        ],
        "Names": ["1", "2", "3", "4", "1", "6", "7", "8"],
        "Isolation": ["1", "2", "3", "4", "5", "0", "7", "8", "1", "10", "11", "[12, 13]"],
        "Handles": ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13"],
        "Arguments": ["1", "2", "0", "4", "5", "nil", "8", "9", "10"],
        "Unchecked": [
            "1", "1", "1", "1", "1", "1", "1", "1 1 2 [1, 1, 1, 1]", "1", "1", "7 8 9",
            "the callback came with neither a value nor an error",
        ],
        "Groups": [
            "[1, 2, 3, 5, 6, 7, 8, -9, -10]", "2", "-3", "4", "5", "7", "1", "2", "3", "-3", "4", "12", "5", "package",
            "1", "13", "1", "10", "-5", "4",
        ],
        "Futures": ["1", "2", "2", "2"],
        "Delegates": [
            "start", "3", "fail 4", "answer", "1", "[\"open\", \"1 7\", \"lent 8\", \"given\"]", "didLock",
            "didShine(9)", "didShine(9)", "1",
        ],
        "Aliases": [
            "1", "2", "[3, 6, 7, 8]", "4", "5", "9", "10", "11", "12", "13", "14", "[16, 17, 1, 15, 18]",
            "[19, 20, 21]",
        ],
        "DelegateNames": ["1", "2 3", "4 6"],
        "Misleading": [
            "1", "2", "3", "4", "5", "6", "7", "8", "9", "10 itself", "11", "12", "13 nested", "14 unchecked",
            "15 unchecked", "16 unchecked",
        ],
        "OnlyOnes": ["1", "none", "3", "ParseError(column: 4)", "width 1", "width 1", "6", "7", "width 1", "9"],
        "HiddenModules": [
            "1", "2", "3", "(4, true)", "1", "6", "success(8)", "width 1", "success(10)", "11", "12",
            "didMove(13)", "14", "15", "didMove(16)",
        ],
        "Captures": [
            "of Swift.Result and AsyncBridge.withCallback", "Swift.Error", "2", "3", "4", "6", "success(6)", "6",
            "[7, 8, 9, 10, 11, 12, 1, 13, 14, 15, 16, 17]", "18",
        ],
        "Completions": ["1", "2", "3", "1", "5", "6", "7", "8", "late"],
        "Interruptions": [
            "-1 []", "-1 [start, stop]", "-1 [start]", "-2 [start, stop]", "-3 [start, stop]", "7 [start, stop]",
            "-4 []", "7 [start]",
        ],
    ]

    @Test func twinsReturnWhatTheOriginalsCallBackWith() async throws {
        for results in [
            try await BridgedFixtures.Fixtures.results(), try await BridgedInSwift6.Fixtures.results(),
            try await BridgedInSwift5.Fixtures.results(), try await BridgedInSwift5Nonsending.Fixtures.results(),
        ] {
            for (name, expected) in Self.expected { #expect(results[name] == expected, "\(name)") }
        }
    }
}
#endif
