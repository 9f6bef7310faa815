// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Testing

@Suite("The catalogue", .timeLimit(.minutes(10)))
struct GuideTests {
    @Test(arguments: PackageFiles.documentedModules)
    func `landing page links every guide`(_ module: String) throws {
        let catalogue = PackageFiles.catalogue(of: module)
        let landingPage = try PackageFiles.file("\(catalogue)/\(module).md")
        let guides = try PackageFiles.files(under: "\(catalogue)/Guides", ending: ".md")
        #expect(!guides.isEmpty)
        for guide in guides {
            let name = guide.path.split(separator: "/").last?.dropLast(".md".count) ?? ""
            if !landingPage.text.contains("<doc:\(name)>") {
                Issue.record("\(landingPage.path): no link to \(guide.path): add '- <doc:\(name)>' to its topics")
            }
        }
    }
}
