import type { Station } from '../behaviour/station.ts';
import { type Connector, registerOf, statusOf } from '../ocpp16/connector.ts';
import type { Payload } from '../wire/wire.ts';

/** The name of a variable of the device model (OCPP 2.0.1 part 1 §4), as used in requests. */
export interface VariableName {
  component: { name: string; instance?: string; evse?: { id: number; connectorId?: number } };
  variable: { name: string; instance?: string };
}

/** One variable of a charge point. */
interface VariableEntry extends VariableName {
  dataType: 'string' | 'decimal' | 'integer' | 'boolean' | 'OptionList' | 'MemberList';
  unit?: string;
  read(): string;
  /** null: read-only */
  write: ((value: string) => SetStatus) | null;
}

type SetStatus = 'Accepted' | 'Rejected' | 'RebootRequired';

/** Variables that correspond to a configuration key with another name. */
const KEYS: readonly [
  component: string,
  variable: string,
  key: string,
  type: VariableEntry['dataType'],
  unit?: string,
][] = [
  ['OCPPCommCtrlr', 'HeartbeatInterval', 'HeartbeatInterval', 'integer', 's'],
  ['OCPPCommCtrlr', 'WebSocketPingInterval', 'WebSocketPingInterval', 'integer', 's'],
  ['OCPPCommCtrlr', 'MessageAttempts', 'TransactionMessageAttempts', 'integer'],
  ['OCPPCommCtrlr', 'MessageAttemptInterval', 'TransactionMessageRetryInterval', 'integer', 's'],
  ['OCPPCommCtrlr', 'ResetRetries', 'ResetRetries', 'integer'],
  ['TxCtrlr', 'EVConnectionTimeOut', 'ConnectionTimeOut', 'integer', 's'],
  ['TxCtrlr', 'StopTxOnEVSideDisconnect', 'StopTransactionOnEVSideDisconnect', 'boolean'],
  ['TxCtrlr', 'StopTxOnInvalidId', 'StopTransactionOnInvalidId', 'boolean'],
  ['AuthCtrlr', 'AuthorizeRemoteStart', 'AuthorizeRemoteTxRequests', 'boolean'],
  ['AuthCtrlr', 'LocalAuthorizeOffline', 'LocalAuthorizeOffline', 'boolean'],
  ['AuthCtrlr', 'LocalPreAuthorize', 'LocalPreAuthorize', 'boolean'],
  ['AuthCtrlr', 'OfflineTxForUnknownIdEnabled', 'AllowOfflineTxForUnknownId', 'boolean'],
  ['AuthCacheCtrlr', 'Enabled', 'AuthorizationCacheEnabled', 'boolean'],
  ['LocalAuthListCtrlr', 'Enabled', 'LocalAuthListEnabled', 'boolean'],
  ['SampledDataCtrlr', 'TxUpdatedInterval', 'MeterValueSampleInterval', 'integer', 's'],
  ['SampledDataCtrlr', 'TxUpdatedMeasurands', 'MeterValuesSampledData', 'MemberList'],
  ['ClockCtrlr', 'TimeZone', 'TimeZone', 'string'],
  ['ChargingStation', 'LedBrightness', 'LedBrightness', 'integer', 'Percent'],
];

/** All variables of a charge point, in reporting order. */
export function variablesOf(station: Station, changed: (key: string) => void): VariableEntry[] {
  const { identity, configuration, connectors } = station;
  const fixed = (
    component: string,
    variable: string,
    dataType: VariableEntry['dataType'],
    read: () => string,
    unit?: string,
  ): VariableEntry => ({
    ...{ component: { name: component }, variable: { name: variable }, dataType, read, write: null },
    ...(unit === undefined ? {} : { unit }),
  });
  return [
    fixed('ChargingStation', 'Model', 'string', () => identity.model),
    fixed('ChargingStation', 'VendorName', 'string', () => identity.vendor),
    fixed('ChargingStation', 'SerialNumber', 'string', () => identity.sn),
    fixed('ChargingStation', 'FirmwareVersion', 'string', () => identity.firmwareVersion),
    fixed('ChargingStation', 'AvailabilityState', 'OptionList', () => availabilityOf(connectors[0])),
    fixed('ChargingStation', 'SupplyPhases', 'integer', () => String(identity.outlets[0]?.phases ?? 3)),
    fixed('DeviceDataCtrlr', 'ItemsPerMessage', 'integer', () => String(ITEMS_PER_MESSAGE)),
    fixed('SecurityCtrlr', 'SecurityProfile', 'integer', () => '0'),
    fixed('SecurityCtrlr', 'Identity', 'string', () => identity.sn),
    ...station.outlets.flatMap((outlet) => outletVariables(outlet)),
    ...KEYS.map(([component, variable, key, dataType, unit]) => {
      const readonly = configuration.read([key]).configurationKey[0]?.readonly ?? true;
      const write = (value: string): SetStatus => {
        const status = configuration.change(key, value);
        if (status === 'Accepted') changed(key);
        return status === 'NotSupported' ? 'Rejected' : status;
      };
      const entry = fixed(component, variable, dataType, () => configuration.get(key), unit);
      return { ...entry, write: readonly ? null : write };
    }),
  ];
}

/** The number of variables per NotifyReport. */
export const ITEMS_PER_MESSAGE = 12;

function outletVariables(connector: Connector): VariableEntry[] {
  const { id, outlet } = connector;
  const of = (
    name: string,
    variable: string,
    dataType: VariableEntry['dataType'],
    read: () => string,
    unit?: string,
  ): VariableEntry => ({
    component: { name, evse: name === 'EVSE' ? { id } : { id, connectorId: 1 } },
    ...{ variable: { name: variable }, dataType, read, write: null },
    ...(unit === undefined ? {} : { unit }),
  });
  return [
    of('EVSE', 'Power', 'decimal', () => String(outlet.maxPowerW), 'W'),
    of('EVSE', 'AvailabilityState', 'OptionList', () => availabilityOf(connector)),
    of('Connector', 'ConnectorType', 'string', () => (outlet.kind === 'dc' ? 'cCCS2' : 'sType2')),
    of('FiscalMetering', 'EnergyImport', 'decimal', () => registerOf(connector).toFixed(0), 'Wh'),
  ];
}

function availabilityOf(connector: Connector | undefined): string {
  const status = connector === undefined ? 'Available' : statusOf(connector);
  return ['Available', 'Unavailable', 'Faulted'].includes(status) ? status : 'Occupied';
}

/** True when a request with a component, and optionally a variable, refers to an entry. */
export function isMatch(
  entry: VariableName,
  requested: { component: VariableName['component']; variable?: VariableName['variable'] },
): boolean {
  const { component, variable } = requested;
  return (
    sameText(entry.component.name, component.name) &&
    (component.evse === undefined || entry.component.evse?.id === component.evse.id) &&
    (variable === undefined || sameText(entry.variable.name, variable.name))
  );
}

/** Names are case-insensitive (OCPP 2.0.1 part 2 §2: identifierString). */
function sameText(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** An entry in the form of NotifyReport. */
export function reported(entry: VariableEntry): Payload {
  const { component, variable, dataType, unit, write } = entry;
  return {
    ...{ component, variable },
    variableAttribute: [{ value: entry.read(), mutability: write === null ? 'ReadOnly' : 'ReadWrite' }],
    variableCharacteristics: { dataType, supportsMonitoring: false, ...(unit === undefined ? {} : { unit }) },
  };
}
