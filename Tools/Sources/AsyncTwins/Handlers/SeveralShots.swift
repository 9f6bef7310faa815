// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import AsyncBridgeSyntax
import ExactlyOnce
import SwiftSyntax

/// Why a function may call its handler more than once.
///
/// A twin would bring the first call and lose the others, so any reason is enough for none.
package enum SeveralShots: Sendable, Hashable {
    /// Its name, or the type that it returns, is that of a registration.
    case name
    /// The table of APIs says so.
    case table
    /// It is called in a loop, or in a closure that is called many times, or a comment says so.
    case repeated
    /// It is stored, and nothing says that it is called once.
    case stored
    /// It is handed to this function, which may call it many times.
    case forwarded(to: String)
    /// What it gets tells that there may be more.
    case parts(String)

    /// The reason as the end of a sentence that begins with the function.
    package var words: String {
        switch self {
        case .name: "is called like a registration, or returns one"
        case .table: "is among the APIs that call their closures many times"
        case .repeated: "calls its handler in a loop, in a closure that is called many times, or says so"
        case .stored: "stores its handler"
        case .forwarded(let name): "passes its handler on to '\(name)', which calls closures many times"
        case .parts(let name): "tells its handler '\(name)', as one that comes in parts"
        }
    }

    /// Looks at a function with these handlers, by their indices among the parameters.
    init?(
        _ function: FunctionDeclSyntax,
        handlers: [Int],
        meanings: [String: TypeSyntax],
        uses: [HandlerUse],
        repeating: Set<String>,
        _ apis: APITable
    ) {
        let parameters = Array(function.signature.parameterClause.parameters)
        // The strongest word: `onCompletion` of an observer is still a completion.
        let saysOnce = handlers.contains { parameters[$0].saysOnce }
        if Generator.looksLikeSeveralShots(function), !saysOnce || function.returnsRegistration {
            self = .name
        } else if function.isCalledLikeASink || !saysOnce && function.isCalledLikeAHook(meanings) {
            self = .name
        } else if [.many, .loop].contains(apis.use(of: function.name.text, on: nil, label: nil)), !saysOnce {
            self = .table
        } else if uses.contains(where: \.isRepeated) {
            self = .repeated
        } else if let part = handlers.lazy.compactMap({ parameters[$0].type.partName(meanings) }).first {
            self = .parts(part)
        } else {
            for index in handlers {
                let flow = HandlerFlow(of: parameters[index].innerName.text, in: function, apis, repeating: repeating)
                if flow.isStored, !saysOnce {
                    self = .stored
                    return
                }
                if let other = flow.repeating, !saysOnce {
                    self = .forwarded(to: other)
                    return
                }
            }
            return nil
        }
    }
}

extension FunctionParameterSyntax {
    /// Whether a handler's name promises one call.
    var saysOnce: Bool { [innerName, firstName].contains { $0.text.lowercased().contains("complet") } }
}

extension FunctionDeclSyntax {
    /// Whether it is one like Combine's `sink(receiveCompletion:receiveValue:)`, which gets values until the end.
    fileprivate var isCalledLikeASink: Bool {
        name.text == "sink" || parameters.contains { $0.firstName.text == "receiveValue" }
    }

    /// Whether its name is that of a loop, or that of what is called at each event from now on.
    ///
    /// `setReader(callback:)` keeps its closure, but `setData(_:handler:)` with an error tells that it is done.
    fileprivate func isCalledLikeAHook(_ meanings: [String: TypeSyntax]) -> Bool {
        let name = name.text
        if ["before", "after", "beforeEach", "afterEach"].contains(name) { return true }
        if ["enumerate", "iterate", "visit"].contains(where: name.beginsWithWord) { return true }
        return name.beginsWithWord("set") && !parameters.contains { $0.type.getsAFailure(meanings) }
    }

    private var parameters: FunctionParameterListSyntax { signature.parameterClause.parameters }

    /// Whether it returns what ends a registration.
    fileprivate var returnsRegistration: Bool {
        guard let type = signature.returnClause?.type.trimmedDescription else { return false }
        let name = type.filter { $0 != "?" && $0 != "!" }
        return ["Observer", "Listener", "Subscription", "Observation", "Registration"].contains(where: name.hasSuffix)
    }
}

extension String {
    /// Whether a name in camel case has this first word.
    func beginsWithWord(_ word: String) -> Bool {
        guard hasPrefix(word) else { return false }
        return dropFirst(word.count).first.map { !$0.isLowercase } ?? true
    }
}

extension TypeSyntax {
    /// Whether a handler gets an error or a result.
    func getsAFailure(_ meanings: [String: TypeSyntax]) -> Bool {
        guard let function = handlerFunction(meanings) else { return false }
        return function.parameters.contains { parameter in
            let names = parameter.type.tokens(viewMode: .sourceAccurate).map(\.text)
            return names.contains { $0 == "Result" || $0.hasSuffix("Error") }
        }
    }

    /// The name of what a handler gets that tells of more calls: `isLast`, `stop`, `progress`.
    fileprivate func partName(_ meanings: [String: TypeSyntax]) -> String? {
        guard let function = handlerFunction(meanings) else { return nil }
        let words: Set = [
            "islast", "isfinal", "isfinished", "ispartial", "iscomplete", "stop", "hasmore", "ismore", "progress",
            "fractioncompleted", "chunk", "isdone",
        ]
        let names = function.parameters.compactMap { ($0.secondName ?? $0.firstName)?.text }
        return names.first { words.contains($0.lowercased()) }
    }
}
