// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

// Which modules there are, and what they are called: as the manifest says, wherever the clone is.

extension `The command that writes twins` {
    /// The modules of the functions that a run finds.
    private func modules(_ path: String, in folder: Folder) throws -> [String] {
        let command = try Command(["wrap", path, "--no-diff", "--report", ".build-report.json"], in: folder)
        #expect(command.status == 0, "\(command.errors)")
        let lines = text(".build-report.json", in: folder)?.split(separator: "\n") ?? []
        let names = lines.filter { $0.contains("\"module\": ") }.map { String($0.split(separator: "\"")[3]) }
        return Set(names).sorted()
    }

    private static func manifest(_ targets: String) -> String {
        """
        // swift-tools-version: 6.2
        import PackageDescription
        let package = Package(name: "Kit", targets: [\(targets)])

        """
    }

    @Test func `a folder in a target is of that target, whatever it is called`() throws {
        let folder = try package([
            "Package.swift": Self.manifest(".target(name: \"Kit\", path: \"Code/Main\"), .target(name: \"Other\")"),
            "Code/Main/a.swift": Self.source, "Code/Main/Net/b.swift": Self.source,
            "Sources/Other/c.swift": Self.source, "Sources/App/Api.swift": "",
        ])
        #expect(try modules("Code/Main", in: folder) == ["Kit"])
        #expect(try modules("Code/Main/Net", in: folder) == ["Kit"])
        #expect(try modules("Sources", in: folder) == ["Other"])
        #expect(try modules("Code", in: folder) == ["Kit"])
        #expect(try modules(".", in: folder) == ["Kit", "Other"])
        let written = try Command(["wrap", "Code", "--write", "--allow-dirty"], in: folder)
        #expect(written.status == 0)
        #expect(text("Code/Main/AsyncBridge/a+Async.swift", in: folder) != nil)
        #expect(written.output.contains("Package.swift does not name AsyncBridge"))
    }

    @Test func `the sources of an only target need no folder of its name`() throws {
        let folder = try package([
            "Package.swift": Self.manifest(".target(name: \"Kit\"), .testTarget(name: \"KitTests\")"),
            "Sources/a.swift": Self.source, "Sources/App/Api.swift": Self.source,
        ])
        #expect(try modules(".", in: folder) == ["Kit"])
        _ = try Command(["wrap", "--write", "--allow-dirty"], in: folder)
        #expect(text("Sources/AsyncBridge/a+Async.swift", in: folder) != nil)
    }

    @Test func `what a target does not compile gets no twin, and twins are where it compiles them`() throws {
        let folder = try package([
            "Package.swift": Self.manifest(".target(name: \"Kit\", path: \"Code\", sources: [\"One.swift\", \"In\"])"),
            "Code/One.swift": Self.source, "Code/In/a.swift": Self.source.replacing("Api", with: "Other"),
            "Code/Out/b.swift": Self.source,
        ])
        let written = try Command(["wrap", "--write", "--allow-dirty"], in: folder)
        #expect(written.status == 0, "\(written.errors)")
        #expect(text("Code/In/AsyncBridge/a+Async.swift", in: folder) != nil)
        #expect(text("Code/In/AsyncBridge/One+Async.swift", in: folder) != nil)
        #expect(!written.output.contains("b.swift") && !written.output.contains("b+Async.swift"))
        let again = try Command(["wrap", "--write", "--allow-dirty"], in: folder)
        #expect(again.status == 0 && !again.output.contains("+++"))
    }

    @Test func `a target that names its files has no place for twins, and says what to do`() throws {
        func files(_ sources: String) -> [String: String] {
            [
                "Package.swift": Self.manifest(".target(name: \"Kit\", path: \"Code\", sources: [\(sources)])"),
                "Code/One.swift": Self.source,
            ]
        }
        let folder = try package(files("\"One.swift\""))
        let refused = try Command(["wrap", "--write", "--allow-dirty"], in: folder)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("Add \"AsyncBridge\" there"), "\(refused.errors)")
        #expect(try Command(["wrap", "Code"], in: folder).status == 2)
        let inPlace = try Command(["wrap", "--write", "--allow-dirty", "--level", "in-place"], in: folder)
        #expect(inPlace.status == 0, "\(inPlace.errors)")
        let open = try package(files("\"One.swift\", \"AsyncBridge\""))
        #expect(try Command(["wrap", "--write", "--allow-dirty"], in: open).status == 0)
        #expect(text("Code/AsyncBridge/One+Async.swift", in: open) != nil)
    }

    @Test func `the target is called as the manifest says, and not as the clone is`() throws {
        let folder = try package(["Package.swift": Self.manifest(".target(name: \"Kit\", path: \".\")")])
        #expect(try modules(".", in: folder) == ["Kit"])
        let output = try Command(["wrap", "--no-diff"], in: folder).output
        let words = """
            and the product AsyncBridge to those of: Kit.
              .package(name: "swift-async-bridge", path: "…"),  // where its clone is, whatever its name
              .product(name: "AsyncBridge", package: "swift-async-bridge"),

            """
        #expect(output.contains(words), "\(output)")
    }
}
