// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
/// What the twins of these files return: the same in each language mode.
public enum Fixtures {
    /// Calls them all.
    public static func results() async throws -> [String: [String]] {
        [
            "Client": try await Client.results(), "Functions": try await Functions.results(),
            "Names": try await Names.results(), "Isolation": try await Isolation.results(),
            "Handles": try await Handles.results(), "Arguments": try await Arguments.results(),
            "Unchecked": try await Unchecked.results(), "Groups": try await Groups.results(),
            "Futures": try await Futures.results(), "Delegates": try await Delegates.results(),
            "Completions": try await Completions.results(), "DelegateNames": try await DelegateNames.results(),
            "Aliases": try await Aliases.results(), "Misleading": try await Misleading.results(),
            "OnlyOnes": try await OnlyOnes.results(), "HiddenModules": try await HiddenModules.results(),
            "Captures": try await Captures.results(), "Interruptions": await Interruptions.results(),
        ]
    }
}
#endif
