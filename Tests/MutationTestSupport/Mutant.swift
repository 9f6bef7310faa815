// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// A kind of mistake.
package enum Fault: String, Sendable {
    /// An action is left out.
    case drop
    /// An action is done twice.
    case double
    /// An action comes after the next one.
    case reorder
    /// An action is done on another thread, while the bridge goes on.
    case elsewhere
    /// Another action is done instead.
    case wrongCall
    /// A decision is taken the other way.
    case negate
    /// A number is one too large, one too small, or nothing.
    case more, fewer, zero
    /// State is not changed: the bridge forgets what it should remember.
    case forget
    /// A reference is given up, but something else keeps the object.
    case retain
}

/// A place in a right bridge where a fault can be put.
package struct Site: Sendable {
    package let name: String
    let faults: [Fault]
    /// What changes nothing that can be seen, by a rule about the kind of place.
    let unseen: [Fault]
    /// Whether the bridge comes here more than once.
    let isRepeated: Bool

    private init(_ name: String, _ faults: [Fault], unseen: [Fault], _ isRepeated: Bool) {
        self.name = name
        self.faults = faults.filter { !unseen.contains($0) }
        self.unseen = unseen
        self.isRepeated = isRepeated
    }

    /// A call of somebody else's code; `unseen` are the faults that the contract allows here.
    package static func call(_ name: String, isRepeated: Bool = false, unseen: [Fault] = []) -> Site {
        Site(name, [.drop, .double, .reorder, .elsewhere, .wrongCall], unseen: unseen, isRepeated)
    }

    /// A call of the bridge's own loop, which finds nothing to do if it runs too often, and may run elsewhere.
    package static func wake(_ name: String, isRepeated: Bool = false) -> Site {
        Site(name, [.drop, .reorder], unseen: [.double, .elsewhere], isRepeated)
    }

    /// A change of state, which is the same if it is made twice.
    package static func change(_ name: String, isRepeated: Bool = false) -> Site {
        Site(name, [.forget], unseen: [.double], isRepeated)
    }

    /// A decision.
    package static func decision(_ name: String, isRepeated: Bool = false) -> Site {
        Site(name, [.negate], unseen: [], isRepeated)
    }

    /// A number; `unseen` are the faults that the contract allows here.
    package static func number(_ name: String, isRepeated: Bool = false, unseen: [Fault] = []) -> Site {
        Site(name, [.more, .fewer, .zero], unseen: unseen, isRepeated)
    }

    /// A reference that is given up; `unseen` are the faults that the contract allows here.
    package static func release(_ name: String, isRepeated: Bool = false, unseen: [Fault] = []) -> Site {
        Site(name, [.forget, .retain], unseen: unseen + [.double], isRepeated)
    }

    /// A place where a right bridge does nothing.
    package static func nothing(_ name: String, _ fault: Fault, isRepeated: Bool = false) -> Site {
        Site(name, [fault], unseen: [], isRepeated)
    }
}

/// At which visits of its place a fault shows.
package enum Timing: String, CaseIterable, Sendable {
    case always
    case first = "the first time"
    case second = "the second time"
    case third = "the third time"
    case later = "from the second time on"
    case everyOther = "every second time"

    func includes(_ visit: Int) -> Bool {
        switch self {
        case .always: true
        case .first: visit == 1
        case .second: visit == 2
        case .third: visit == 3
        case .later: visit > 1
        case .everyOther: visit.isMultiple(of: 2)
        }
    }
}

/// A right bridge with one fault.
package struct Mutant: Hashable, Sendable, CustomStringConvertible {
    package let bridge: String
    let site: String
    let fault: Fault
    let timing: Timing

    /// The place and the fault, whenever it shows.
    var cause: String { "\(self.site): \(self.fault.rawValue)" }

    package var description: String {
        "\(self.bridge): \(self.cause)\(self.timing == .always ? "" : ", \(self.timing.rawValue)")"
    }
}

/// A right bridge, and where faults can be put into it.
package struct Reference: Sendable {
    package let name: String
    let sites: [Site]
    /// The timings at places that are visited more than once.
    let timings: [Timing]

    package init(_ name: String, timings: [Timing] = Timing.allCases, _ sites: [Site]) {
        self.name = name
        self.sites = sites
        self.timings = timings
    }

    /// All mutants, in a fixed order.
    package var mutants: [Mutant] {
        self.sites.flatMap { site in
            site.faults.flatMap { fault in
                (site.isRepeated ? self.timings : [.always]).map {
                    Mutant(bridge: self.name, site: site.name, fault: fault, timing: $0)
                }
            }
        }
    }

    /// How many mutants are left out, since nothing that can be seen differs.
    package var equivalents: Int {
        self.sites.reduce(0) { $0 + $1.unseen.count * ($1.isRepeated ? self.timings.count : 1) }
    }
}
