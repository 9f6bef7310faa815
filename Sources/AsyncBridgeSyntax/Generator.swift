// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
public import SwiftSyntax

/// Writes twins: a declaration in; twins, or a refusal with words, out.
///
/// The macros and the command line tool both use it; nothing else knows how a twin is written. It reads syntax alone.
public enum Generator {
    /// The twins of a function.
    ///
    /// It looks which way: from a completion handler to `async`, or back.
    public static func twins(
        of function: FunctionDeclSyntax,
        _ options: TwinOptions = TwinOptions(),
        in surroundings: Surroundings
    ) -> Outcome {
        do throws(Refusal) {
            try function.checkThatItMayHaveATwin(options, in: surroundings)
            return function.isAsync
                ? try self.completionTwins(of: function, options, in: surroundings)
                : try self.asyncTwins(of: function, options, in: surroundings)
        } catch {
            return Outcome(refusals: [error])
        }
    }

    private static func asyncTwins(
        of function: FunctionDeclSyntax,
        _ options: TwinOptions,
        in surroundings: Surroundings
    ) throws(Refusal) -> Outcome {
        let twin = try AsyncTwin(of: function, options, in: surroundings)
        var outcome = Outcome()
        outcome.twins = [twin.twin]
        if let warning = twin.defaultCompletion { outcome.refusals = [warning] }
        if options.addsOthers { outcome.twins += OtherTwins(twin).all }
        return outcome
    }

    private static func completionTwins(
        of function: FunctionDeclSyntax,
        _ options: TwinOptions,
        in surroundings: Surroundings
    ) throws(Refusal) -> Outcome {
        let twin = try CompletionTwin(of: function, options, in: surroundings)
        var outcome = Outcome()
        outcome.twins = [twin.twin]
        if options.addsOthers { outcome.twins += OtherTwins(twin).all }
        return outcome
    }
}
#endif
