// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

#if Macros
import AsyncBridgeSyntax
import SwiftParser
import SwiftSyntax
import Testing

/// What the plug-in writes where the compiler reads `Swift::Result`.
@Suite(.timeLimit(.minutes(10)))
struct ModuleSelectorTests {
    @Test(arguments: [
        ("try await AsyncBridge.withCallback(of: Int.self)", "try await AsyncBridge::withCallback(of: Int.self)"),
        ("(Swift.Result<Swift.Void, any Swift.Error>)", "(Swift::Result<Swift::Void, any Swift::Error>)"),
        ("AsyncBridge._cancel($0) { $0.cancel() }", "AsyncBridge::_cancel($0) { $0.cancel() }"),
        ("-> AsyncBridgeFutures.CoFuture<Int>", "-> AsyncBridgeFutures::CoFuture<Int>"),
        // What belongs to a type of the user's, or to a value.
        // What the user wrote into strings and comments.
        ("f(\"Swift.Error\", #\"Swift.Void\"#) // Swift.Never", "f(\"Swift.Error\", #\"Swift.Void\"#) // Swift.Never"),
        ("f(\"\\(Swift.Void.self)\")", "f(\"\\(Swift::Void.self)\")"),
        ("AsyncBridge.Value", "AsyncBridge.Value"), ("AsyncBridge.withCallbacks()", "AsyncBridge.withCallbacks()"),
        ("My.Swift.Error", "My.Swift.Error"), ("MySwift.Error", "MySwift.Error"), ("`Swift`.Error", "`Swift`.Error"),
        ("self.load(.Swift.Error)", "self.load(.Swift.Error)"), ("", ""), (".", "."), ("Swift.", "Swift."),
    ])
    func namesOfTheLibrariesGetSelectors(_ source: String, _ expected: String) {
        #expect(ModuleSelectors.written(in: source) == expected)
    }

    /// So that nothing of the generator's is forgotten.
    @Test func everyNameBehindAModuleInATwinGetsOne() throws {
        var count = 0
        for (name, text) in try TestFiles("BridgedFixtures").all {
            for expansion in Expander(text).expansions {
                let written = ModuleSelectors.written(in: expansion)
                // Who writes selectors keeps them.
                let plain = expansion.replacing("::", with: ".")
                #expect(written.replacing("::", with: ".") == plain, "\(name)")
                let rest = written.replacing("AsyncBridge.Value", with: "").replacing(/"[^"\n]*"/, with: "")
                #expect(!rest.contains(try Regex(#"\b(Swift|AsyncBridge[A-Za-z]*)\."#)), "\(name): \(written)")
                count += written.contains("::") ? 1 : 0
            }
        }
        #expect(count > 100)
    }

    @Test func aTypeCalledLikeAModuleHidesNothingThen() throws {
        let file = Parser.parse(source: "struct AsyncBridge { func load() async -> Int { 0 } }")
        let type = try #require(file.statements.first?.item.as(StructDeclSyntax.self))
        let function = try #require(type.memberBlock.members.first?.decl.as(FunctionDeclSyntax.self))
        let hidden = Generator.twins(of: function, in: Surroundings([Syntax(type)]))
        #expect(hidden.refusals.map(\.reason) == [.hiddenModule])
        let selecting = Generator.twins(of: function, in: Surroundings([Syntax(type)], selectingModules: true))
        #expect(selecting.refusals.isEmpty && selecting.twins.count == 1)
    }
}
#endif
