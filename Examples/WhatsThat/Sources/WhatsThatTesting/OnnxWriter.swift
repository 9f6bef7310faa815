// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

/// Writes the fields of a message of protocol buffers, in which ONNX files are.
struct ProtocolBuffer {
    private(set) var bytes: [UInt8] = []

    init(_ write: (inout Self) -> Void) { write(&self) }

    mutating func add(_ field: Int, _ number: Int) {
        self.add(UInt64(field << 3))
        self.add(UInt64(bitPattern: Int64(number)))
    }

    mutating func add(_ field: Int, _ content: some Collection<UInt8>) {
        self.add(UInt64(field << 3 | 2))
        self.add(UInt64(content.count))
        self.bytes += content
    }

    mutating func add(_ field: Int, _ text: String) { self.add(field, Array(text.utf8)) }

    mutating func add(_ field: Int, _ message: Self) { self.add(field, message.bytes) }

    private mutating func add(_ number: UInt64) {
        var rest = number
        while rest > 127 {
            self.bytes.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        self.bytes.append(UInt8(rest))
    }
}

/// Small models for tests.
public enum TestModels {
    /// Elements of tensors, by ONNX's numbers.
    private enum Element: Int {
        case float = 1
        case integer = 7
        case truth = 9
    }

    /// Says whether a picture is rather red, green or blue: the mean of each colour, and softmax.
    ///
    /// - Parameters:
    ///   - shape: The input's.
    ///   - outputs: What the graph calls its outputs.
    /// - Returns: The bytes of an ONNX file.
    public static func colours(shape: [Int] = [1, 3, 8, 8], outputs: [String] = ["p"]) -> [UInt8] {
        self.model(
            nodes: self.means + [self.node("Softmax", ["f"], ["p"], self.attribute("axis", integer: 1))],
            input: self.value("x", .float, shape),
            outputs: outputs.map { self.value($0, .float, [1, 3]) }
        )
    }

    /// The mean of each colour, without softmax.
    public static func logits() -> [UInt8] {
        self.model(
            nodes: self.means + [self.node("Identity", ["f"], ["p"])],
            input: self.value("x", .float, [1, 3, 8, 8]),
            outputs: [self.value("p", .float, [1, 3])]
        )
    }

    /// Says that its output is larger than anything.
    public static func enormous() -> [UInt8] {
        self.model(
            // The shape comes from the picture, so that ONNX Runtime cannot know better.
            nodes: self.means + [
                self.node("Cast", ["f"], ["i"], self.attribute("to", integer: Element.integer.rawValue)),
                self.node("Squeeze", ["i"], ["s"]), self.node("Reshape", ["x", "s"], ["p"]),
            ],
            input: self.value("x", .float, [1, 3, 8, 8]),
            outputs: [self.value("p", .float, [1, 1 << 40, 1 << 40])]
        )
    }

    /// Of pictures whose colours are last.
    public static func coloursLast() -> [UInt8] {
        self.model(
            nodes: [
                self.node("Transpose", ["x"], ["y"], self.attribute("perm", integers: [0, 3, 1, 2])),
                self.node("GlobalAveragePool", ["y"], ["a"]), self.node("Flatten", ["a"], ["f"]),
                self.node("Softmax", ["f"], ["p"], self.attribute("axis", integer: 1)),
            ],
            input: self.value("x", .float, [1, 8, 8, 3]),
            outputs: [self.value("p", .float, [1, 3])]
        )
    }

    /// Runs until it is stopped: a loop of a thousand million million turns.
    ///
    /// - Parameter onlyForRed: Whether other pictures than red ones get the mean of each colour at once.
    /// - Returns: The bytes of an ONNX file.
    public static func endless(onlyForRed: Bool = false) -> [UInt8] {
        let body = self.graph(
            nodes: [self.node("Identity", ["c"], ["d"]), self.node("Relu", ["v"], ["w"])],
            inputs: [
                self.value("n", .integer, []), self.value("c", .truth, []), self.value("v", .float, [1, 3]),
            ],
            outputs: [self.value("d", .truth, []), self.value("w", .float, [1, 3])]
        )
        let turns = ProtocolBuffer {
            $0.add(2, Element.integer.rawValue)
            $0.add(8, "turns")
            $0.add(9, withUnsafeBytes(of: Int64(1_000_000_000_000_000).littleEndian, Array.init))
        }
        let attribute = ProtocolBuffer {
            $0.add(1, "body")
            $0.add(6, body)
            $0.add(20, 5)
        }
        let isRed = [
            self.node("ArgMax", ["f"], ["g"], self.attribute("axis", integer: 1)),
            // Red is colour 0.
            self.node("Squeeze", ["g"], ["h"]),
            self.node("Cast", ["h"], ["i"], self.attribute("to", integer: Element.truth.rawValue)),
            self.node("Not", ["i"], ["r"]),
        ]
        let loop = self.node("Loop", ["turns", onlyForRed ? "r" : "", "f"], ["p"], attribute)
        return self.model(
            nodes: self.means + (onlyForRed ? isRed : []) + [loop],
            input: self.value("x", .float, [1, 3, 8, 8]),
            outputs: [self.value("p", .float, [1, 3])],
            constants: [turns]
        )
    }

    /// The mean of each colour, as `f`.
    private static var means: [ProtocolBuffer] {
        [self.node("GlobalAveragePool", ["x"], ["a"]), self.node("Flatten", ["a"], ["f"])]
    }

    // MARK: The parts of a model

    private static func model(
        nodes: [ProtocolBuffer],
        input: ProtocolBuffer,
        outputs: [ProtocolBuffer],
        constants: [ProtocolBuffer] = []
    ) -> [UInt8] {
        let graph = self.graph(nodes: nodes, inputs: [input], outputs: outputs, constants: constants)
        let operators = ProtocolBuffer { $0.add(2, 13) }
        let model = ProtocolBuffer {
            $0.add(1, 8)
            $0.add(8, operators)
            $0.add(7, graph)
        }
        return model.bytes
    }

    private static func graph(
        nodes: [ProtocolBuffer],
        inputs: [ProtocolBuffer],
        outputs: [ProtocolBuffer],
        constants: [ProtocolBuffer] = []
    ) -> ProtocolBuffer {
        ProtocolBuffer { graph in
            for node in nodes { graph.add(1, node) }
            graph.add(2, "graph")
            for constant in constants { graph.add(5, constant) }
            for input in inputs { graph.add(11, input) }
            for output in outputs { graph.add(12, output) }
        }
    }

    private static func node(
        _ operation: String,
        _ inputs: [String],
        _ outputs: [String],
        _ attribute: ProtocolBuffer? = nil
    ) -> ProtocolBuffer {
        ProtocolBuffer { node in
            for input in inputs { node.add(1, input) }
            for output in outputs { node.add(2, output) }
            node.add(4, operation)
            if let attribute { node.add(5, attribute) }
        }
    }

    private static func attribute(_ name: String, integer: Int) -> ProtocolBuffer {
        ProtocolBuffer {
            $0.add(1, name)
            $0.add(3, integer)
            $0.add(20, 2)
        }
    }

    private static func attribute(_ name: String, integers: [Int]) -> ProtocolBuffer {
        ProtocolBuffer { attribute in
            attribute.add(1, name)
            for integer in integers { attribute.add(8, integer) }
            attribute.add(20, 7)
        }
    }

    private static func value(_ name: String, _ element: Element, _ shape: [Int]) -> ProtocolBuffer {
        let dimensions = ProtocolBuffer { dimensions in
            for size in shape { dimensions.add(1, ProtocolBuffer { $0.add(1, size) }) }
        }
        let tensor = ProtocolBuffer {
            $0.add(1, element.rawValue)
            $0.add(2, dimensions)
        }
        return ProtocolBuffer {
            $0.add(1, name)
            $0.add(2, ProtocolBuffer { $0.add(1, tensor) })
        }
    }
}
