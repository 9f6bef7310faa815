// SPDX-License-Identifier: Apache-2.0
// Part of swift-async-bridge.

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation
import Synchronization

// The part of Core Bluetooth that the guide uses, with the signatures of Apple's SDK. Objective-C's optional
// requirements are extensions here. Two devices are near, one with a heart rate; each has a battery, too.

public enum CBManagerState: Int, Sendable {
    case unknown, resetting, unsupported, unauthorized, poweredOff, poweredOn
}

public let CBAdvertisementDataServiceUUIDsKey = "kCBAdvDataServiceUUIDs"

// Safe: immutable.
open class CBUUID: NSObject, @unchecked Sendable {
    public let uuidString: String

    public init(string: String) { self.uuidString = string }

    override open func isEqual(_ object: Any?) -> Bool { (object as? CBUUID)?.uuidString == self.uuidString }
    override open var hash: Int { self.uuidString.hashValue }
}

open class CBCharacteristic: NSObject {
    public let uuid: CBUUID
    open internal(set) var value: Data?

    init(_ uuid: String) { self.uuid = CBUUID(string: uuid) }
}

open class CBService: NSObject {
    public let uuid: CBUUID
    open internal(set) var characteristics: [CBCharacteristic]?

    init(_ uuid: CBUUID) { self.uuid = uuid }
}

public protocol CBPeripheralDelegate: NSObjectProtocol {
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: Error?)
    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: Error?)
    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: Error?
    )
    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: Error?)
}

open class CBPeripheral: NSObject {
    open weak var delegate: CBPeripheralDelegate?
    public let identifier = UUID()
    open private(set) var name: String?
    open private(set) var services: [CBService]?

    let service: CBUUID
    private let battery = CBUUID(string: "180F")
    /// Whether it sends values; not in Apple's peripheral.
    open private(set) var isNotifying = false

    init(_ name: String, _ service: String) {
        self.name = name
        self.service = CBUUID(string: service)
    }

    open func discoverServices(_ serviceUUIDs: [CBUUID]?) {
        DispatchQueue.main.async {
            // Beside those that were found before.
            for service in [self.battery, self.service] where serviceUUIDs?.contains(service) ?? true {
                let known = self.services ?? []
                if !known.contains(where: { $0.uuid == service }) { self.services = known + [CBService(service)] }
            }
            self.delegate?.peripheral(self, didDiscoverServices: nil)
        }
    }

    open func discoverCharacteristics(_ characteristicUUIDs: [CBUUID]?, for service: CBService) {
        DispatchQueue.main.async {
            service.characteristics = [CBCharacteristic(service.uuid == self.battery ? "2A19" : "2A37")]
            self.delegate?.peripheral(self, didDiscoverCharacteristicsFor: service, error: nil)
        }
    }

    open func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) {
        self.isNotifying = enabled
        if enabled { self.beat(70, characteristic) } else { print("the sensor has stopped") }
    }

    private func beat(_ rate: UInt8, _ characteristic: CBCharacteristic) {
        // Slowly enough that every value finds its consumer.
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(50)) {
            guard self.isNotifying else { return }
            // The value of another characteristic.
            let battery = CBCharacteristic("2A19")
            battery.value = Data([0, 100])
            self.delegate?.peripheral(self, didUpdateValueFor: battery, error: nil)
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

    private let queue: DispatchQueue
    private let near = [CBPeripheral("heart rate sensor", "180D"), CBPeripheral("thermometer", "1809")]
    private var scan = 0
    private var isScanning = false
    /// How many managers scan; not in Apple's class.
    public static var scanning: Int { self.scanners.load(ordering: .relaxed) }
    private static let scanners = Atomic(0)
    /// The states that a new manager goes through; not in Apple's class.
    nonisolated(unsafe) public static var states = [CBManagerState.poweredOn]

    public init(delegate: CBCentralManagerDelegate?, queue: DispatchQueue?) {
        self.delegate = delegate
        self.queue = queue ?? .main
        super.init()
        for state in Self.states {
            self.queue.async {
                self.state = state
                self.delegate?.centralManagerDidUpdateState(self)
            }
        }
    }

    open func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil) {
        if !self.isScanning { Self.scanners.add(1, ordering: .relaxed) }
        self.isScanning = true
        self.scan += 1
        let scan = self.scan
        print("scans for \(serviceUUIDs?.map(\.uuidString).joined() ?? "all")")
        self.queue.asyncAfter(deadline: .now() + .milliseconds(20)) {
            for found in self.near where serviceUUIDs?.contains(found.service) ?? true {
                if self.scan != scan { return }
                let data = [CBAdvertisementDataServiceUUIDsKey: [found.service]]
                self.delegate?.centralManager(self, didDiscover: found, advertisementData: data, rssi: -60)
            }
        }
    }

    open func stopScan() {
        print("the scan has stopped")
        self.scan += 1
        if self.isScanning { Self.scanners.subtract(1, ordering: .relaxed) }
        self.isScanning = false
    }

    open func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {
        self.queue.async { self.delegate?.centralManager(self, didConnect: peripheral) }
    }

    open func cancelPeripheralConnection(_ peripheral: CBPeripheral) {
        self.queue.async { self.delegate?.centralManager(self, didDisconnectPeripheral: peripheral, error: nil) }
    }
}
