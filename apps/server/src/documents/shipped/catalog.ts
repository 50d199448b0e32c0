import { DOCUMENT_TYPES, type ManualPage } from '@chargehand/domain';
import { ITEM_CATEGORIES } from './item-catalog.ts';
import type { ShippedCategory, ShippedDocument } from './shipped-document.ts';

const explains = (key: string, ...codes: string[]): ShippedDocument => ({ key, type: DOCUMENT_TYPES.alarm, codes });

const manual = (key: ManualPage): ShippedDocument => ({ key });

/** A component of OCPP 2.0.1 that does not work or has tripped, as its alarms name it. */
const failed = (...components: string[]) => components.flatMap((name) => [`${name}.Problem`, `${name}.Tripped`]);

/**
 * The shipped documents by category, parents first. The names of codes are those of OCPP 1.6 §7.6, of the Minimum
 * Required Error Codes (`CX…`, ChargeX Consortium) for OCPP 2.0.1, of the components of OCPP 2.0.1, and of this product.
 * Numbers, names and meanings of all 26 CX codes were compared with the table of Idaho National Laboratory
 * (inl.gov/chargex/mrec): its beginning, the complete copy in `seeds/chargex_mrec_codes.csv` of github.com/appspace/kwwhat,
 * and `MREC_ERROR_MAP` of EVerest, which has 19 of them.
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
      explains('emergency-stop', 'CX008', ...failed('EmergencyStopSensor')),
      explains('power-loss', 'CX015', ...failed('UpstreamProtectionTrigger')),
      explains('connector-voltage', 'CX024'),
      explains('cable-check', 'CX011'),
    ],
  },
  {
    key: 'alarms/connector',
    ...{ nameEn: 'Connector and vehicle', nameZh: '枪与车辆' },
    documents: [
      explains('connector-lock', 'ConnectorLockFailure', 'CX001', ...failed('ConnectorPlugRetentionLock')),
      explains('vehicle-communication', 'EVCommunicationError'),
      explains('invalid-vehicle-mode', 'CX010'),
      explains('pre-charge', 'CX012'),
      explains('pilot', 'CX014'),
      explains('vehicle-contactor', 'CX016'),
      explains('cable-temperature', 'CX018', 'CX019'),
      explains('partial-insertion', 'CX020'),
      explains('capacitance', 'CX021'),
      explains('resistance', 'CX022'),
      explains('proximity', 'CX023'),
      explains('broken-latch', 'CX025'),
      explains('cut-cable', 'CX026', ...failed('CableBreakawaySensor')),
    ],
  },
  {
    key: 'alarms/hardware',
    ...{ nameEn: 'Device hardware', nameZh: '设备硬件' },
    documents: [
      explains('high-temperature', 'HighTemperature', 'CX003'),
      explains('internal-error', 'InternalError'),
      explains('other-error', 'OtherError'),
      explains('power-module', ...failed('AcDcConverter')),
      explains('power-meter', 'PowerMeterFailure', ...failed('FiscalMetering')),
      explains('power-switch', 'PowerSwitchFailure', 'CX017', ...failed('PowerContactor')),
      explains('reader', 'ReaderFailure', ...failed('TokenReader')),
      explains('reset', 'ResetFailure'),
    ],
  },
  {
    key: 'alarms/storage',
    // As the built-in model of storage units names them.
    ...{ nameEn: 'Inverter and battery', nameZh: '逆变器与电池' },
    documents: [
      explains('grid-voltage', 'Inverter/Fault:17'),
      explains('inverter-temperature', 'Inverter/Fault:32'),
      explains('battery-communication', 'Inverter/Fault:41'),
      explains('insulation-resistance', 'Inverter/Fault:108'),
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
      explains('authorization-timeout', 'CX009'),
      explains('no-internet', 'CX013'),
    ],
  },
  ...ITEM_CATEGORIES,
  { key: 'manual', nameEn: 'User manual', nameZh: '使用手册', documents: [] },
  {
    key: 'manual/operations',
    ...{ nameEn: 'Operations', nameZh: '日常运维' },
    documents: [
      ...[manual('manual-overview'), manual('manual-home'), manual('manual-alarms'), manual('manual-devices')],
      ...[manual('manual-registration'), manual('manual-control'), manual('manual-parameters')],
      ...[manual('manual-batches'), manual('manual-transfers'), manual('manual-charts'), manual('manual-sites')],
      ...[manual('manual-documents'), manual('manual-attachments'), manual('manual-issues'), manual('manual-messages')],
    ],
  },
  {
    key: 'manual/administration',
    ...{ nameEn: 'Administration', nameZh: '系统管理' },
    documents: [
      ...[manual('manual-customers'), manual('manual-models'), manual('manual-users'), manual('manual-logs')],
      ...[manual('manual-mails'), manual('manual-system'), manual('manual-account')],
    ],
  },
];
