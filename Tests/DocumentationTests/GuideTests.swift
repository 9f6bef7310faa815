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
            let name = guide.path.split(separator: "/").last ?? ""
            let title = guide.text.prefix { $0 != "\n" }.dropFirst("# ".count)
            let item = "- [\(title)](Guides/\(name))"
            if !landingPage.text.contains("\n\(item)\n") {
                Issue.record("\(landingPage.path): no link to \(guide.path): add '\(item)' to its topics")
            }
        }
    }

    /// Where the code is hosted, only paths are links; `Scripts/site-catalogue` makes DocC's names of them.
    @Test(arguments: PackageFiles.documentedModules)
    func `links are paths`(_ module: String) throws {
        for page in try PackageFiles.files(under: PackageFiles.catalogue(of: module), ending: ".md") {
            let lines = page.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            for (index, line) in lines where line.contains("<doc:") || line.contains("](doc:") {
                Issue.record("\(page.path):\(index + 1): write the guide's path: [Title](Name.md)")
            }
        }
    }
}
