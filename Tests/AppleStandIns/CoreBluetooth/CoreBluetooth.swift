// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation

// The part of Core Bluetooth that the guide uses, with the signatures of Apple's SDK. Objective-C's optional
// requirements are extensions here. One device is near, with a heart rate.

public enum CBManagerState: Int, Sendable {
    case unknown, resetting, unsupported, unauthorized, poweredOff, poweredOn
}

// Safe: immutable.
open class CBUUID: NSObject, @unchecked Sendable {
    public let uuidString: String

    public init(string: String) { self.uuidString = string }
}

open class CBCharacteristic: NSObject {
    open internal(set) var uuid = CBUUID(string: "2A37")
    open internal(set) var value: Data?
}

public protocol CBPeripheralDelegate: NSObjectProtocol {
    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: Error?)
}

open class CBPeripheral: NSObject {
    open weak var delegate: CBPeripheralDelegate?
    public let identifier = UUID()
    open var name: String? { "heart rate sensor" }

    private var notifies = false

    open func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) {
        self.notifies = enabled
        if enabled { self.beat(70, characteristic) } else { print("the sensor has stopped") }
    }

    private func beat(_ rate: UInt8, _ characteristic: CBCharacteristic) {
        // Slowly enough that every value finds its consumer.
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(50)) {
            guard self.notifies else { return }
            characteristic.value = Data([0, rate])
            self.delegate?.peripheral(self, didUpdateValueFor: characteristic, error: nil)
            self.beat(rate + 1, characteristic)
        }
    }
}

public protocol CBCentralManagerDelegate: NSObjectProtocol {
    func centralManagerDidUpdateState(_ central: CBCentralManager)
    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    )
    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral)
    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: Error?)
    func centralManager(_ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: Error?)
}

extension CBCentralManagerDelegate {
    public func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {}
    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {}
    public func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: Error?) {}
    public func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: Error?
    ) {}
}

open class CBManager: NSObject {
    open internal(set) var state = CBManagerState.unknown
}

open class CBCentralManager: CBManager {
    open weak var delegate: CBCentralManagerDelegate?

    private let near = CBPeripheral()

    public init(delegate: CBCentralManagerDelegate?, queue: DispatchQueue?) {
        self.delegate = delegate
        super.init()
        DispatchQueue.main.async {
            self.state = .poweredOn
            self.delegate?.centralManagerDidUpdateState(self)
        }
    }

    open func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil) {
        DispatchQueue.main.async {
            self.delegate?.centralManager(self, didDiscover: self.near, advertisementData: [:], rssi: -60)
        }
    }

    open func stopScan() { print("the scan has stopped") }

    open func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {
        DispatchQueue.main.async { self.delegate?.centralManager(self, didConnect: peripheral) }
    }

    open func cancelPeripheralConnection(_ peripheral: CBPeripheral) {}
}
