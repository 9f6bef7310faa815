// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

import Foundation
import Testing

/// What the command says on a terminal while it works.
@Suite(.timeLimit(.minutes(10)))
struct `The progress of the command` {
    private static let cards = (0..<3_500)
        .map { "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:\($0)\r\nFN:Person \($0)\r\nEND:VCARD\r\n" }.joined()
    /// To the start of the line, which is empty then.
    private static let clear = "\r\u{1b}[K"

    /// Runs the command, whose messages go to a terminal, and returns the lines that were there.
    private func lines(_ place: Workplace, _ arguments: String...) async throws -> [String] {
        let terminal = try Terminal()
        let outcome = try await place.run(arguments + ["--database", place.path("db")]) { process in
            process.standardError = terminal.program
        }
        #expect(outcome.status == 0)
        return terminal.text().components(separatedBy: Self.clear)
    }

    @Test func `an import counts the contacts, also those that do not change`() async throws {
        let place = try Workplace()
        let file = try place.write(Self.cards, to: "f.vcf")
        for _ in 0..<2 {
            let lines = try await self.lines(place, "import", file)
            #expect(
                lines == [
                    "", "\(file): reading …", "\(file): saving 3500 contacts …",
                    "\(file): saving 1000 of 3500 contacts …", "\(file): saving 2000 of 3500 contacts …",
                    "\(file): saving 3000 of 3500 contacts …", "",
                ]
            )
        }
    }

    @Test(arguments: ["list", "export"])
    func `the address book is being read`(_ command: String) async throws {
        let place = try Workplace()
        _ = try await place.run("import", place.write(Self.cards, to: "f.vcf"))
        let lines = try await self.lines(place, command)
        #expect(lines == ["", "\(place.path("db")): reading …", ""])
    }

    /// A mistake in a file is told on a line of its own.
    @Test func `a message does not stand behind it`() async throws {
        let place = try Workplace()
        let (file, terminal) = (try place.write("BEGIN:VCARD", to: "f.vcf"), try Terminal())
        let outcome = try await place.run(["import", "--database", place.path("db"), file]) { process in
            process.standardError = terminal.program
        }
        #expect(outcome.status == 1)
        #expect(terminal.text().contains("reading …\(Self.clear)contacts: \(file): "))
    }

    @Test func `nothing is written where nobody looks`() async throws {
        let place = try Workplace()
        #expect(try await place.run("import", place.write(Self.cards, to: "f.vcf")).errors == "")
        #expect(try await place.run("list").errors == "")
    }
}
