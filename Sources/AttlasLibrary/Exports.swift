// The types of the modules below that occur in this one.
@_exported import struct AttlasCapture.CaptureError
@_exported import struct AttlasCapture.Timestamp
@_exported import enum AttlasDissection.AttributeAccess
@_exported import struct AttlasWire.BluetoothAddress
@_exported import struct AttlasWire.BluetoothUUID
@_exported import struct AttlasWire.CharacteristicProperties
@_exported import enum AttlasWire.Direction
