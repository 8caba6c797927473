/// The parameters of one HCI command. Core Specification, Vol 4, Part E, 7.1–7.8.
///
/// Only those that say something about a conversation have a view; this is the dispatch to it.
public enum HCICommandParameters: ~Escapable, Copyable {
    case disconnect(DisconnectCommand)
    case leSetRandomAddress(LESetRandomAddressCommand)
    case leSetAdvertisingSetRandomAddress(LESetAdvertisingSetRandomAddressCommand)
    case leSetAdvertisingData(LESetAdvertisingDataCommand)
    case leSetScanResponseData(LESetAdvertisingDataCommand)
    case leSetExtendedAdvertisingData(LESetExtendedAdvertisingDataCommand)
    case leSetExtendedScanResponseData(LESetExtendedAdvertisingDataCommand)
    case leSetScanEnable(LESetScanEnableCommand)
    case leSetExtendedScanEnable(LESetExtendedScanEnableCommand)
    case leCreateConnection(LECreateConnectionCommand)
    /// Of both versions.
    case leExtendedCreateConnection(LEExtendedCreateConnectionCommand)
    case leConnectionUpdate(LEConnectionUpdateCommand)
    case leSetDataLength(LESetDataLengthCommand)
    case leSetPHY(LESetPHYCommand)
    case leAddDeviceToResolvingList(LEAddDeviceToResolvingListCommand)
    case leEnableEncryption(LEEnableEncryptionCommand)
    case leLongTermKeyRequestReply(LELongTermKeyRequestReplyCommand)
    /// Every other command, with its parameters.
    case other(Bytes)

    @_lifetime(copy command)
    public init(_ command: HCICommand) throws(WireError) {
        let parameters = command.parameters
        switch command.opcode {
        case .disconnect: self = .disconnect(try DisconnectCommand(parameters))
        case .leSetRandomAddress: self = .leSetRandomAddress(try LESetRandomAddressCommand(parameters))
        case .leSetAdvertisingSetRandomAddress:
            self = .leSetAdvertisingSetRandomAddress(try LESetAdvertisingSetRandomAddressCommand(parameters))
        case .leSetAdvertisingData: self = .leSetAdvertisingData(try LESetAdvertisingDataCommand(parameters))
        case .leSetScanResponseData: self = .leSetScanResponseData(try LESetAdvertisingDataCommand(parameters))
        case .leSetExtendedAdvertisingData:
            self = .leSetExtendedAdvertisingData(try LESetExtendedAdvertisingDataCommand(parameters))
        case .leSetExtendedScanResponseData:
            self = .leSetExtendedScanResponseData(try LESetExtendedAdvertisingDataCommand(parameters))
        case .leSetScanEnable: self = .leSetScanEnable(try LESetScanEnableCommand(parameters))
        case .leSetExtendedScanEnable: self = .leSetExtendedScanEnable(try LESetExtendedScanEnableCommand(parameters))
        case .leCreateConnection: self = .leCreateConnection(try LECreateConnectionCommand(parameters))
        case .leExtendedCreateConnection:
            self = .leExtendedCreateConnection(try LEExtendedCreateConnectionCommand(parameters, version: 1))
        case .leExtendedCreateConnectionV2:
            self = .leExtendedCreateConnection(try LEExtendedCreateConnectionCommand(parameters, version: 2))
        case .leConnectionUpdate: self = .leConnectionUpdate(try LEConnectionUpdateCommand(parameters))
        case .leSetDataLength: self = .leSetDataLength(try LESetDataLengthCommand(parameters))
        case .leSetPHY: self = .leSetPHY(try LESetPHYCommand(parameters))
        case .leAddDeviceToResolvingList:
            self = .leAddDeviceToResolvingList(try LEAddDeviceToResolvingListCommand(parameters))
        case .leEnableEncryption: self = .leEnableEncryption(try LEEnableEncryptionCommand(parameters))
        case .leLongTermKeyRequestReply:
            self = .leLongTermKeyRequestReply(try LELongTermKeyRequestReplyCommand(parameters))
        default: self = .other(parameters)
        }
    }
}
