import { DOCUMENT_TYPES, type DocumentType } from '@chargehand/domain';

/** A document of the product. Its text is `content/<category>/<locale>/<key>.md`. */
export interface ShippedDocument {
  /** never changes, because it identifies the document in upgrades */
  key: string;
  type?: DocumentType;
  /** the codes that it explains; the first one is its name */
  codes?: readonly string[];
}

/** A category, by its path. */
export interface ShippedCategory {
  key: string;
  nameEn: string;
  nameZh: string;
  documents: readonly ShippedDocument[];
}

const explains = (key: string, ...codes: string[]): ShippedDocument => ({ key, type: DOCUMENT_TYPES.alarm, codes });

/** A component of OCPP 2.0.1 that does not work or has tripped, as its alarms name it. */
const failed = (...components: string[]) => components.flatMap((name) => [`${name}.Problem`, `${name}.Tripped`]);

/**
 * The shipped documents by category, parents first. The names of codes are those of OCPP 1.6 §7.6, of the Minimum
 * Required Error Codes (`CX…`, ChargeX Consortium) for OCPP 2.0.1, of the components of OCPP 2.0.1, and of this product.
 */
export const SHIPPED_CATEGORIES: readonly ShippedCategory[] = [
  { key: 'alarms', nameEn: 'Alarm codes', nameZh: '告警码', documents: [] },
  {
    key: 'alarms/electrical',
    ...{ nameEn: 'Electrical protection', nameZh: '电气保护' },
    documents: [
      explains('ground-failure', 'GroundFailure', 'CX002', ...failed('RCD', 'GroundIsolationProtection')),
      explains('over-current', 'OverCurrentFailure', 'CX004', ...failed('OverCurrentBreaker')),
      explains('over-voltage', 'OverVoltage', 'CX005'),
      explains('under-voltage', 'UnderVoltage', 'CX006'),
    ],
  },
  {
    key: 'alarms/connector',
    ...{ nameEn: 'Connector and vehicle', nameZh: '枪与车辆' },
    documents: [
      explains('connector-lock', 'ConnectorLockFailure', 'CX001', ...failed('ConnectorPlugRetentionLock')),
      explains('vehicle-communication', 'EVCommunicationError'),
    ],
  },
  {
    key: 'alarms/hardware',
    ...{ nameEn: 'Device hardware', nameZh: '设备硬件' },
    documents: [
      explains('high-temperature', 'HighTemperature', 'CX003'),
      explains('internal-error', 'InternalError'),
      explains('other-error', 'OtherError'),
      explains('power-meter', 'PowerMeterFailure', ...failed('FiscalMetering')),
      explains('power-switch', 'PowerSwitchFailure', 'CX017', ...failed('PowerContactor')),
      explains('reader', 'ReaderFailure', ...failed('TokenReader')),
      explains('reset', 'ResetFailure'),
    ],
  },
  {
    key: 'alarms/connection',
    ...{ nameEn: 'Connection and authorization', nameZh: '联网与鉴权' },
    documents: [
      explains('offline', 'Offline'),
      explains('unavailable', 'Unavailable'),
      explains('connector-fault', 'ConnectorFault'),
      explains('weak-signal', 'WeakSignal', 'CX007'),
      explains('local-list-conflict', 'LocalListConflict'),
    ],
  },
];
