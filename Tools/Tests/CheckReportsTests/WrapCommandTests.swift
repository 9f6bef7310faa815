// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

/// What `asyncbridge wrap` writes and answers, as a user sees it.
@Suite(.timeLimit(.minutes(10))) struct `The command that writes twins` {
    static let manifest = """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "App",
            targets: [
                .target(name: "AsyncBridge"),
                .target(name: "App", dependencies: ["AsyncBridge"], exclude: ["Old"]),
                .testTarget(name: "AppTests", dependencies: ["App"]),
            ]
        )

        """
    static let source = """
        public final class Node { public init() {} }

        public struct Api: Sendable {
            public func user(_ id: Int, completion: @escaping @Sendable (Result<Int, any Error>) -> Void) {
                completion(.success(id))
            }
            public func node(completion: @escaping @Sendable (Result<Node, any Error>) -> Void) {
                completion(.success(Node()))
            }
            public func item(completion: @escaping @Sendable (Int) -> Void) { completion(1) }
        }

        """
    static let overlay = "Sources/App/AsyncBridge/Api+Async.swift"

    /// What the twins call, without what makes it safe.
    private static let stub = """
        public struct Callback<Value>: Sendable {
            let continuation: CheckedContinuation<Value, any Error>
            public func resume<E: Error>(uncheckedWith result: Result<Value, E>) {
                nonisolated(unsafe) let result = result.mapError { $0 as any Error }
                continuation.resume(with: result)
            }
        }
        extension Callback where Value: Sendable {
            public func handler() -> @Sendable (Result<Value, any Error>) -> Void { { continuation.resume(with: $0) } }
            public func valueHandler() -> @Sendable (Value) -> Void { { continuation.resume(returning: $0) } }
        }
        public func withCallback<Value>(
            of type: Value.Type = Value.self,
            isolation: isolated (any Actor)? = #isolation,
            _ start: (Callback<Value>) -> Void
        ) async throws -> Value {
            try await withCheckedThrowingContinuation { start(Callback(continuation: $0)) }
        }
        public func _result<Value, E: Error>(_ result: Result<Value, E>) -> Result<Value, any Error> {
            result.mapError { $0 }
        }

        """

    /// A package in a git repository, with everything committed.
    func package(_ more: [String: String] = [:]) throws -> Folder {
        let files = [
            "Package.swift": Self.manifest, "Sources/App/Api.swift": Self.source, ".gitignore": ".build\n",
            "Tests/AppTests/Empty.swift": "",
        ]
        let folder = try Command.folder(files.merging(more) { _, new in new })
        try commit(folder)
        return folder
    }

    func commit(_ folder: Folder) throws {
        let line = "git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -q -m a"
        #expect(try Command(shell: line, in: folder).status == 0)
    }

    func text(_ path: String, in folder: Folder) -> String? {
        try? String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    /// The files that differ from what is committed.
    func changes(in folder: Folder) throws -> String {
        try Command(shell: "git status --porcelain --untracked-files=all", in: folder).output
    }

    // MARK: Writing

    @Test func `a dry run shows what it would write, and writes nothing`() throws {
        let folder = try package()
        let command = try Command(["wrap"], in: folder)
        #expect(command.status == 0)
        #expect(command.output.hasPrefix("Place "))
        #expect(command.output.contains("\nSources/App/Api.swift:4   Api.user(_:completion:)  user(_:)  [proven]\n"))
        #expect(command.output.contains("\n+++ b/\(Self.overlay)\n@@ -0,0 +1,"))
        #expect(command.output.hasSuffix("    3 whose handler is called once on every path that the checker follows\n"))
        #expect(try changes(in: folder) == "")
    }

    @Test func `it adds one file, and a second run changes nothing`() throws {
        let folder = try package()
        #expect(try Command(["wrap", "--write"], in: folder).status == 0)
        #expect(try changes(in: folder) == "?? \(Self.overlay)\n")
        let first = text(Self.overlay, in: folder)
        #expect(first?.contains("public func user(_ id: Int) async throws -> Int {") == true)
        #expect(try Command(["wrap", "--write"], in: folder).status == 0)
        #expect(text(Self.overlay, in: folder) == first)
        #expect(try !Command(["wrap"], in: folder).output.contains("@@"))
    }

    @Test func `it says which edits of a block are lost with a change of its function`() throws {
        let folder = try package()
        _ = try Command(["wrap", "--write"], in: folder)
        let written = try #require(text(Self.overlay, in: folder))
        let edited = written.replacing("of: Int.self)", with: "of: Int.self, cancellation: .cooperative)")
        try edited.write(to: folder.appending(path: Self.overlay), atomically: true, encoding: .utf8)
        #expect(try !Command(["wrap", "--write"], in: folder).output.contains("was edited"))
        let changed = Self.source.replacing("user(_ id: Int,", with: "user(_ id: Int, retries: Int = 1,")
        try changed.write(to: folder.appending(path: "Sources/App/Api.swift"), atomically: true, encoding: .utf8)
        try commit(folder)
        let output = try Command(["wrap", "--write"], in: folder).output
        let title = "the block of Api.user(_:completion:) was edited, and its function has changed."
        #expect(output.contains("\n\(Self.overlay): \(title) Do it again, in the new block:\nextension Api {\n"))
        // The other one is as it was.
        #expect(output.split(separator: "was edited").count == 2)
        #expect(try !Command(["wrap", "--write"], in: folder).output.contains("was edited"))
    }

    @Test func `its file goes with its last twin`() throws {
        let folder = try package()
        _ = try Command(["wrap", "--write"], in: folder)
        try "".write(to: folder.appending(path: "Sources/App/Api.swift"), atomically: true, encoding: .utf8)
        try commit(folder)
        _ = try Command(["wrap", "--write"], in: folder)
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "Sources/App/AsyncBridge").path()))
    }

    @Test func `it takes another name for its file if the module has that one`() throws {
        let folder = try package(["Sources/App/Extensions/Api+Async.swift": "struct Mine {}\n"])
        _ = try Command(["wrap", "--write"], in: folder)
        #expect(text("Sources/App/AsyncBridge/Api+AsyncBridge.swift", in: folder) != nil)
        #expect(text("Sources/App/Extensions/Api+Async.swift", in: folder) == "struct Mine {}\n")
    }

    @Test func `it leaves tests, other targets and what a target excludes alone`() throws {
        let folder = try package([
            "Tests/AppTests/a.swift": Self.source, "Sources/App/Old/a.swift": Self.source,
            "Sources/AsyncBridge/a.swift": Self.source, "Elsewhere/a.swift": Self.source,
        ])
        let output = try Command(["wrap", "--module", "App", "--no-diff"], in: folder).output
        #expect(output.contains("\n3 functions with a completion handler:\n"))
        let wrong = try Command(["wrap", "--module", "Nothing"], in: folder)
        #expect(wrong.status == 2)
        #expect(wrong.errors.contains("There is: AsyncBridge, App."))
    }

    @Test func `it takes a folder without a manifest for one module`() throws {
        let folder = try Command.folder(["a.swift": Self.source])
        _ = try Command(["wrap", ".", "--write", "--allow-dirty"], in: folder)
        #expect(text("AsyncBridge/a+Async.swift", in: folder)?.contains("user(_ id: Int) async") == true)
    }

    @Test func `it says what the manifest lacks`() throws {
        let manifest = Self.manifest.replacing("\"AsyncBridge\"", with: "\"Other\"")
        let folder = try package(["Package.swift": manifest])
        let output = try Command(["wrap"], in: folder).output
        #expect(output.contains("Package.swift does not name AsyncBridge: add") && !output.contains("tools version"))
        let oldManifest = manifest.replacing("swift-tools-version: 6.2", with: "swift-tools-version:5.3")
        let old = try package(["Package.swift": oldManifest])
        #expect(try Command(["wrap"], in: old).output.contains("Its tools version is below 5.5"))
    }

    @Test func `the summary alone`() throws {
        let folder = try package()
        let whole = try Command(["wrap"], in: folder).output
        let summary = try Command(["wrap", "--summary"], in: folder).output
        #expect(summary.hasPrefix("3 functions with a completion handler:"), "\(summary)")
        #expect(whole.hasPrefix("Place") && whole.hasSuffix("\n\n" + summary), "\(whole)")
    }

    @Test func `it says what macros need`() throws {
        let folder = try package()
        let words = """
            Package.swift does not name AsyncBridgeMacros: add the package swift-async-bridge to its dependencies with \
            traits: ["Macros"], for which its tools version must be 6.1 or later, and the product AsyncBridgeMacros to \
            those of: App.
            """
        #expect(try Command(["wrap", "--macros"], in: folder).output.contains(words))
        let source = "public func start(completion: @escaping () -> Void) -> Watch { completion(); return Watch() }\n"
        let other = try package(["Sources/App/Watch.swift": source])
        #expect(try Command(["wrap", "--macros"], in: other).output.contains("say how: .cancel { $0.cancel() }"))
        #expect(try Command(["wrap"], in: other).output.contains("Write one by hand: withCallback"))
    }

    @Test func `it writes a report`() throws {
        let folder = try package()
        _ = try Command(["wrap", "--report", "out.json"], in: folder)
        #expect(text("out.json", in: folder)?.contains("\"totals\": {\n    \"twin\": 3\n  }") == true)
    }

    @Test func `it writes into the source files on demand`() throws {
        let folder = try package()
        #expect(try Command(["wrap", "--write", "--level", "in-place"], in: folder).status == 0)
        #expect(try changes(in: folder) == " M Sources/App/Api.swift\n")
        #expect(text("Sources/App/Api.swift", in: folder)?.contains("public func user(_ id: Int) async throws") == true)
        try commit(folder)
        #expect(try Command(["wrap", "--write", "--level", "in-place"], in: folder).status == 0)
        #expect(try Command(["wrap", "--write", "--macros"], in: folder).status == 0)
        // Nor does another form write them again.
        #expect(try Command(["wrap", "--write"], in: folder).status == 0)
        #expect(try changes(in: folder) == "")
    }

    @Test func `it writes macros on demand`() throws {
        let folder = try package()
        #expect(try Command(["wrap", "--write", "--macros"], in: folder).status == 0)
        #expect(text("Sources/App/Api.swift", in: folder)?.split(separator: "\n").count { $0 == "    @Bridged" } == 3)
        try commit(folder)
        #expect(try Command(["wrap", "--write", "--macros"], in: folder).status == 0)
        #expect(try changes(in: folder) == "")
    }

    // MARK: What stops it

    @Test func `it refuses a tree with changes, unless they are its own`() throws {
        let folder = try package()
        _ = try Command(["wrap", "--write"], in: folder)
        #expect(try Command(["wrap", "--write"], in: folder).status == 0)
        try "struct New {}\n".write(
            to: folder.appending(path: "Sources/App/b.swift"),
            atomically: true,
            encoding: .utf8
        )
        let refused = try Command(["wrap", "--write"], in: folder)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("“Sources/App/b.swift” has changes that are not committed"))
        #expect(try Command(["wrap", "--write", "--allow-dirty"], in: folder).status == 0)
        #expect(try Command(["wrap"], in: folder).status == 0)
    }

    @Test func `its report may lie in the package`() throws {
        let folder = try package()
        for report in ["out.json", "./Sources/../out.json"] {
            #expect(try Command(["wrap", "--write", "--report", report], in: folder).status == 0)
        }
        let refused = try Command(["wrap", "--write"], in: folder)
        #expect(refused.errors.contains("“out.json” has changes that are not committed"))
    }

    @Test func `it refuses a folder without git`() throws {
        let folder = try Command.folder(["Package.swift": Self.manifest, "Sources/App/Api.swift": Self.source])
        let refused = try Command(["wrap", "--write"], in: folder)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("no git repository"))
    }

    @Test func `a file that cannot be read or parsed stops nothing`() throws {
        let folder = try package(["Sources/App/b.swift": "func broken( {\n"])
        try Data([0xFF]).write(to: folder.appending(path: "Sources/App/c.swift"))
        let command = try Command(["wrap", "--write", "--allow-dirty"], in: folder)
        #expect(command.status == 2)
        #expect(command.errors.contains("Sources/App/b.swift:1:"))
        #expect(command.errors.contains("Sources/App/c.swift: error: the file cannot be read as UTF-8"))
        #expect(text(Self.overlay, in: folder)?.contains("user(_ id: Int) async") == true)
    }

    @Test(arguments: [["wrap", "--write", "--dry-run"], ["wrap", "nowhere"], ["wrap", "--jobs", "0"]])
    func `it answers 2 to wrong usage`(arguments: [String]) throws {
        let command = try Command(arguments, in: package())
        #expect(command.status == 2)
        #expect(!command.errors.isEmpty)
    }

    // MARK: Building

    /// A “compiler” that says of lines with a word that they are wrong, and where.
    func compiler(_ word: String, _ message: String) -> String {
        """
        if grep -n '\(word)' \(Self.overlay) | grep -v ':// ' >found; then \
        sed "s|^\\([0-9]*\\):.*|$PWD/\(Self.overlay):\\1:1: error: \(message)|" found; rm found; exit 1; fi; rm -f found
        """
    }

    @Test func `it takes what does not compile down until the build succeeds`() throws {
        let folder = try package()
        let line = compiler("Node", "no such thing")
        let command = try Command(["wrap", "--write", "--verify", line], in: folder)
        #expect(command.status == 0)
        #expect(command.output.contains("1 with one that does not compile: it is commented out"))
        #expect(command.output.contains("succeeds with the twins, after 3 builds."))
        let overlay = text(Self.overlay, in: folder)
        #expect(overlay?.contains("// Does not compile: no such thing\n// extension Api {\n") == true)
        #expect(try changes(in: folder) == "?? \(Self.overlay)\n")
    }

    @Test func `an import that only the source needs for others is lowered`() throws {
        let folder = try package(["Sources/App/Api.swift": "public import Foundation\n" + Self.source])
        let warning = "warning: public import of 'Foundation' was not used in public declarations or inlinable code"
        let line = "if test -f \(Self.overlay); then echo \"$PWD/\(Self.overlay):5:1: \(warning)\"; fi"
        #expect(try Command(["wrap", "--write", "--verify", line], in: folder).status == 0)
        let overlay = text(Self.overlay, in: folder)
        #expect(overlay?.contains("\nimport AsyncBridge\nimport Foundation\n") == true, "\(overlay ?? "")")
        #expect(try Command(["wrap", "--write"], in: folder).status == 0)
        #expect(text(Self.overlay, in: folder) == overlay)
    }

    @Test func `it takes tables of APIs`() throws {
        let folder = try package(["apis.txt": "lends Api.item\nmany load\n", "bad.txt": "lend x\n"])
        let output = try Command(["wrap", "--no-diff", "--apis", "apis.txt"], in: folder).output
        #expect(
            output.contains(
                "\n  1 refused: what the handler gets is only lent to it; --apis says what else lends, or does not\n"
            ),
            "\(output)"
        )
        let bad = try Command(["wrap", "--apis", "bad.txt"], in: folder)
        #expect(bad.status == 2)
        #expect(bad.errors.contains("bad.txt: line 1: “lend x” is not one of now, "))
    }

    @Test func `a dry run that builds leaves everything as it was`() throws {
        let folder = try package()
        let command = try Command(["wrap", "--verify", compiler("Node", "no such thing")], in: folder)
        #expect(command.status == 0)
        #expect(command.output.contains("+// Does not compile: no such thing"))
        #expect(try changes(in: folder) == "")
    }

    // MARK: Completion handlers

    private static let internalSource = """
        public struct Api: Sendable {
            func user(_ id: Int, completion: @escaping @Sendable (Result<Int, any Error>) -> Void) {
                guard id > 0 else { return completion(.success(0)) }
                completion(.success(id + offset))
            }
            private var offset: Int { 1 }
            func item(completion: @escaping @Sendable (Int) -> Void) { completion(1) }
        }

        """

    private static let drop = ["wrap", "--write", "--include-internal", "--rewrite-callers", "--drop-completions"]

    @Test func `it drops what nothing calls any more`() throws {
        let path = "Sources/App/Callers.swift"
        let caller = """
            func f(_ api: Api) async throws -> Int {
                try await withCheckedThrowingContinuation { c in api.user(1) { c.resume(with: $0) } }
            }

            """
        let test = "func test(_ api: Api) { api.item { _ in } }\n"
        let files = [
            "Sources/AsyncBridge/a.swift": Self.stub, "Sources/App/Api.swift": Self.internalSource, path: caller,
            "Tests/AppTests/t.swift": test,
        ]
        let folder = try package(files)
        let build = ["--module", "App", "--verify", "swift build --disable-sandbox"]
        let command = try Command(Self.drop + build + ["--report", ".build/out.json"], in: folder)
        #expect(command.status == 0, "\(command.errors)")
        #expect(
            command.output.contains("\n2 completion handlers: 1 dropped\n  1 kept: something still calls it, or may\n")
        )
        #expect(text(".build/out.json", in: folder)?.contains("\"state\": \"dropped\"") == true)
        let source = text("Sources/App/Api.swift", in: folder) ?? ""
        #expect(source.contains("    func user(_ id: Int) async throws -> Int {\n"), "\(source)")
        #expect(source.contains("        guard id > 0 else { return completion(.success(0)) }\n"), "\(source)")
        #expect(text(path, in: folder)?.contains("    try await api.user(1)\n") == true)
        #expect(text(Self.overlay, in: folder)?.contains("user") == false)
        try commit(folder)
        let again = try Command(["wrap", "--write", "--include-internal"], in: folder)
        #expect(again.status == 0)
        #expect(try changes(in: folder) == "")
    }

    @Test func `what the package does not build without is as it was`() throws {
        let folder = try package(["Sources/App/Api.swift": Self.internalSource])
        let line = "if grep -q 'let completion' Sources/App/Api.swift; then exit 1; fi"
        let command = try Command(Self.drop + ["--verify", line], in: folder)
        #expect(command.status == 0)
        #expect(command.output.contains("\n2 completion handlers: 0 dropped\n"))
        #expect(text("Sources/App/Api.swift", in: folder) == Self.internalSource)
        #expect(try changes(in: folder) == "?? \(Self.overlay)\n")
        let edited = text(Self.overlay, in: folder)?.replacing("callback.handler()", with: "callback.handler() ")
        try edited?.write(to: folder.appending(path: Self.overlay), atomically: true, encoding: .utf8)
        let again = try Command(Self.drop + ["--verify", "true", "--allow-dirty"], in: folder)
        #expect(again.output.contains("  1 kept: the block of its async function was edited"))
    }

    @Test(arguments: [
        ["--drop-completions"], ["--verify", "true", "--breaking"],
        ["--drop-completions", "--verify", "true", "--macros"],
    ])
    func `completion handlers go only where a build proves it`(options: [String]) throws {
        #expect(try Command(["wrap"] + options, in: package()).status == 2)
    }

    // MARK: Callers

    private static let callers = """
        func show(_ api: Api) {
            Task {
                api.user(1) { result in
                    switch result {
                    case .success(let id):
                        api.node { result in
                            switch result {
                            case .success(let node): print(id, node)
                            case .failure(let error): print(error)
                            }
                        }
                    case .failure(let error): print(error)
                    }
                }
            }
            api.user(2) { _ in }
        }

        """

    @Test func `it rewrites calls, and then those in their closures`() throws {
        let path = "Sources/App/Callers.swift"
        let folder = try package([path: Self.callers])
        let dry = try Command(["wrap", "--rewrite-callers", "--verify", "true"], in: folder)
        #expect(dry.output.contains("+            let id = try await api.user(1)\n"))
        #expect(try changes(in: folder) == "")
        let command = try Command(
            ["wrap", "--write", "--rewrite-callers", "--verify", "true", "--report", "out.json"],
            in: folder
        )
        #expect(command.status == 0)
        #expect(command.output.contains("\n3 calls of them: 2 rewritten\n  1 left: the code around it is not async\n"))
        #expect(command.output.contains("“true” succeeds with the rewritten calls, after 2 builds."))
        #expect(text("out.json", in: folder)?.contains("\"state\": \"not-async\"") == true)
        let expected = """
            func show(_ api: Api) {
                Task {
                    do {
                        let id = try await api.user(1)
                        do {
                            let node = try await api.node()
                            print(id, node)
                        } catch {
                            print(error)
                        }
                    } catch {
                        print(error)
                    }
                }
                api.user(2) { _ in }
            }

            """
        #expect(text(path, in: folder) == expected)
    }

    @Test func `it calls twins instead of waiting for continuations`() throws {
        let path = "Sources/App/Continuations.swift"
        let caller = """
            func load(_ api: Api) async throws -> Int {
                let id: Int = try await withCheckedThrowingContinuation { (c: CheckedContinuation<Int, any Error>) in
                    api.user(1, completion: c.resume)
                }
                return await withCheckedContinuation { c in
                    api.item { c.resume(returning: $0 + id) }
                }
            }

            """
        let folder = try package([path: caller])
        let command = try Command(["wrap", "--write", "--rewrite-callers", "--verify", "true"], in: folder)
        #expect(command.output.contains("\n2 calls of them: 1 rewritten\n"))
        #expect(
            text(path, in: folder)?.hasPrefix(
                "func load(_ api: Api) async throws -> Int {\n    let id: Int = try await api.user(1)\n    return await with"
            ) == true
        )
    }

    @Test func `it takes calls back that do not compile`() throws {
        let path = "Sources/App/Callers.swift"
        let folder = try package([path: Self.callers])
        let line = """
            if grep -n 'await api.node' \(path) >found; then \
            sed "s|^\\([0-9]*\\):.*|$PWD/\(path):\\1:1: error: no such thing|" found; rm found; exit 1; fi; rm -f found
            """
        let command = try Command(["wrap", "--write", "--rewrite-callers", "--verify", line], in: folder)
        #expect(command.status == 0)
        #expect(command.output.contains("\n3 calls of them: 1 rewritten\n"))
        #expect(command.output.contains("Api.node(completion:): it does not compile: no such thing\n"))
        #expect(
            text(path, in: folder)?.contains("let id = try await api.user(1)\n            api.node { result in\n")
                == true
        )
    }

    @Test func `a file whose calls are all taken back is as it was`() throws {
        let path = "Sources/App/Callers.swift"
        let folder = try package([path: Self.callers])
        let line = """
            if grep -n 'await api' \(path) >found; then \
            sed "s|^\\([0-9]*\\):.*|$PWD/\(path):\\1:1: error: no such thing|" found; rm found; exit 1; fi; rm -f found
            """
        let command = try Command(["wrap", "--write", "--rewrite-callers", "--verify", line], in: folder)
        #expect(command.status == 0)
        #expect(command.output.contains("\n3 calls of them: 0 rewritten\n"))
        #expect(text(path, in: folder) == Self.callers)
    }

    @Test func `calls are rewritten only where a build proves them`() throws {
        let command = try Command(["wrap", "--rewrite-callers"], in: package())
        #expect(command.status == 2)
        #expect(command.errors.contains("--rewrite-callers needs --verify."))
    }

    @Test func `a build that nothing explains leaves everything as it was`() throws {
        let folder = try package()
        let command = try Command(["wrap", "--write", "--verify", "test ! -e \(Self.overlay)"], in: folder)
        #expect(command.status == 2)
        #expect(command.errors.contains("nothing tells which of them is the cause"))
        #expect(try changes(in: folder) == "")
    }

    @Test(arguments: ["INT", "TERM"])
    func `it stops when it is told, with everything as it was`(signal: String) throws {
        let folder = try package()
        // The tool is the parent of the shell that builds. The build does not end by itself.
        let line = "if test -e \(Self.overlay); then touch .build; kill -\(signal) $PPID; exec tail -f /dev/null; fi"
        let command = try Command(["wrap", "--write", "--verify", line], in: folder)
        #expect(command.status == 130)
        #expect(command.errors.hasSuffix("Stopped. Everything is as it was.\n"))
        #expect(FileManager.default.fileExists(atPath: folder.appending(path: ".build").path()))
        #expect(try changes(in: folder) == "")
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "Sources/App/AsyncBridge").path()))
    }

    @Test func `it stops while it rewrites calls, with everything as it was`() throws {
        let path = "Sources/App/Callers.swift"
        let folder = try package([path: Self.callers])
        let line = "if grep -q 'try await api' \(path); then touch .build; kill -INT $PPID; exec tail -f /dev/null; fi"
        let command = try Command(["wrap", "--write", "--rewrite-callers", "--verify", line], in: folder)
        #expect(command.status == 130)
        #expect(FileManager.default.fileExists(atPath: folder.appending(path: ".build").path()))
        #expect(try changes(in: folder) == "")
    }

    @Test func `it stops while it drops completion handlers, with everything as it was`() throws {
        let folder = try package(["Sources/App/Api.swift": Self.internalSource])
        let changed = "grep -q 'func item() async' Sources/App/Api.swift"
        let line = "if \(changed); then touch .build; kill -INT $PPID; exec tail -f /dev/null; fi"
        let command = try Command(Self.drop + ["--verify", line], in: folder)
        #expect(command.status == 130)
        #expect(FileManager.default.fileExists(atPath: folder.appending(path: ".build").path()))
        #expect(try changes(in: folder) == "")
    }

    @Test func `a run that was stopped goes on where it was`() throws {
        let folder = try package([".build/x": ""])
        let line = compiler("Node", "no such thing")
        let stop =
            "if test -e \(Self.overlay) && ! grep -v '^//' \(Self.overlay) | grep Node; then kill -INT $PPID; fi; "
        #expect(try Command(["wrap", "--write", "--verify", stop + line], in: folder).status == 130)
        #expect(try changes(in: folder) == "")
        let command = try Command(["wrap", "--write", "--verify", line], in: folder)
        #expect(command.output.contains("succeeds with the twins, after 2 builds."))
        #expect(command.output.contains("1 with one that does not compile: it is commented out"))
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: ".build/asyncbridge-wrap.json").path()))
    }

    @Test func `a real compiler accepts what it leaves`() throws {
        let client = "public func use(_ api: Api) async throws -> Int { try await api.user(1) + api.item() }\n"
        let caller = "public func call(_ api: Api) async { api.item { _ in } }\n"
        let folder = try package(["Sources/AsyncBridge/a.swift": Self.stub, "Sources/App/Caller.swift": caller])
        let command = try Command(
            ["wrap", "--write", "--module", "App", "--verify", "swift build --disable-sandbox"],
            in: folder
        )
        #expect(command.status == 0, "\(command.errors)")
        #expect(command.output.contains("Api.node(completion:)    node()  [proven, unchecked]"), "\(command.output)")
        try client.write(to: folder.appending(path: "Sources/App/Use.swift"), atomically: true, encoding: .utf8)
        let build = try Command(shell: "swift build --disable-sandbox 2>&1", in: folder)
        #expect(build.status == 0, "\(build.output)")
    }
}
