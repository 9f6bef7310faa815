// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

/// What the text of the example must be.
@Suite("The sources", .timeLimit(.minutes(10)))
struct SourceTests {
    private let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

    /// All sources, by their path.
    private func sources() throws -> [String: String] {
        let folder = self.package.appending(path: "Sources")
        var sources: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
            sources[path] = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        }
        return sources
    }

    @Test
    func `the README shows code that is there`() throws {
        let sources = try self.sources().values.map { self.lines(of: $0) }
        let readme = try String(contentsOf: self.package.appending(path: "README.md"), encoding: .utf8)
        let blocks = readme.components(separatedBy: "```swift\n").dropFirst().map { block in
            self.lines(of: block.components(separatedBy: "```")[0])
        }
        #expect(blocks.count == 4)
        let shown = blocks.filter { block in
            sources.contains { source in source.indices.contains { source[$0...].starts(with: block) } }
        }
        // All but the code before.
        #expect(shown.count == 3)
        #expect(!shown.contains { $0.contains { $0.contains("Continuation") } })
    }

    @Test
    func `files and words that the README names are there`() throws {
        let readme = try String(contentsOf: self.package.appending(path: "README.md"), encoding: .utf8)
        let links = readme.matches(of: /\]\((Sources[^)]*)\)/).map { String($0.1) }
        #expect(links.count >= 6)
        for link in links { #expect(FileManager.default.fileExists(atPath: self.package.appending(path: link).path)) }
        let all = try self.sources().values.joined()
        for name in [
            "requestLocation(", "requestLocationPublisher(", "locationPublisher:", "awaitLocation(", "forEachLocation(",
            "locationFuture(",
        ] {
            #expect(all.contains(name), "\(name)")
        }
    }

    @Test
    func `no bridge is made by hand`() throws {
        let sources = try self.sources()
        #expect(sources.count > 10)
        let forbidden =
            /with(Checked|Unsafe)(Throwing)?Continuation|Async(Throwing)?Stream|\bTask(\.\w+)? ?(\([^\n]*\) ?)?\{|Thread\.sleep/
        let locks = /DispatchSemaphore|DispatchGroup|NSCondition|NSLock|PassthroughSubject|\bFuture[ <{]/
        for (path, source) in sources {
            let code = self.lines(of: source).filter { !$0.hasPrefix("//") }
            for line in code where line.contains(forbidden) || line.contains(locks) {
                Issue.record("\(path): \(line)")
            }
        }
    }

    @Test
    func `the file for CoreLocation is the one for gpsd, with other names`() throws {
        let sources = try self.sources()
        let gps = try #require(sources["LocationServices/Managers/GPSLocationSource.swift"])
        let core = try #require(sources["LocationServices/Managers/CoreLocationSource.swift"])
        let renamed =
            gps
            .replacing("GPSLocationSource: LocationSource", with: "GPSLocationSource: NSObject, LocationSource")
            .replacing("self.manager = manager\n", with: "self.manager = manager\n        super.init()\n")
            .replacing("public import GPSLocation\n", with: "public import CoreLocation\npublic import Foundation\n")
            .replacing("#if canImport(GPSLocation)", with: "#if canImport(CoreLocation) && !os(tvOS)")
            .replacing("GPSLocation.Location", with: "CLLocation")
            .replacing("GPSLocationSource", with: "CoreLocationSource")
            .replacing("LocationManagerError", with: "CLError")
            .replacing(/\bLocationManager\b/, with: "CLLocationManager")
            .replacing(/\bLocationManagerDelegate\b/, with: "CLLocationManagerDelegate")
        #expect(self.lines(of: renamed) == self.lines(of: core))
    }

    /// Without indentation, blank lines, and the brace that ends the text.
    private func lines(of text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}
