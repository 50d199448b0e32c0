import { DOCUMENT_TYPES } from '@chargehand/domain';
import type { ShippedCategory, ShippedDocument } from './shipped-document.ts';

const setting = (key: string, ...codes: string[]): ShippedDocument => ({ key, type: DOCUMENT_TYPES.config, codes });

const reading = (key: string, ...codes: string[]): ShippedDocument => ({ key, type: DOCUMENT_TYPES.runInfo, codes });

/** The variables of these names of one component of OCPP 2.0.1. */
const of = (component: string, ...variables: string[]) => variables.map((name) => `${component}.${name}`);

/**
 * The documents about parameters and readings, parents first. The keys are those of OCPP 1.6 §9 and its security
 * whitepaper, of the variables and measurands of OCPP 2.0.1, and of the shipped device models.
 */
export const ITEM_CATEGORIES: readonly ShippedCategory[] = [
  { key: 'parameters', nameEn: 'Parameters', nameZh: '参数', documents: [] },
  {
    key: 'parameters/communication',
    ...{ nameEn: 'Communication', nameZh: '通信参数' },
    documents: [
      setting('param-heartbeat', 'HeartbeatInterval', 'OCPPCommCtrlr.HeartbeatInterval'),
      setting('param-websocket-ping', 'WebSocketPingInterval', 'OCPPCommCtrlr.WebSocketPingInterval'),
      setting(
        'param-message-retry',
        'TransactionMessageAttempts',
        'TransactionMessageRetryInterval',
        ...of('OCPPCommCtrlr', 'MessageAttempts', 'MessageAttemptInterval', 'MessageTimeout'),
      ),
      setting(
        'param-reconnect',
        ...of(
          'OCPPCommCtrlr',
          'RetryBackOffWaitMinimum',
          'RetryBackOffRepeatTimes',
          'RetryBackOffRandomRange',
          'OfflineThreshold',
        ),
      ),
      setting('param-status-duration', 'MinimumStatusDuration'),
      setting('param-reset-retries', 'ResetRetries', 'OCPPCommCtrlr.ResetRetries'),
      setting('param-clock', ...of('ClockCtrlr', 'TimeSource', 'TimeZone', 'DateTime', 'NtpServerUri')),
    ],
  },
  {
    key: 'parameters/security',
    ...{ nameEn: 'Security', nameZh: '安全参数' },
    documents: [
      setting('param-security-profile', 'SecurityProfile', 'SecurityCtrlr.SecurityProfile'),
      setting(
        'param-certificates',
        'CpoName',
        'AdditionalRootCertificateCheck',
        'CertificateSignedMaxChainSize',
        'CertificateStoreMaxLength',
        ...of('SecurityCtrlr', 'OrganizationName', 'Identity', 'CertificateEntries'),
      ),
      setting('param-password', 'AuthorizationKey', 'SecurityCtrlr.BasicAuthPassword'),
    ],
  },
  {
    key: 'parameters/charging',
    ...{ nameEn: 'Charging', nameZh: '充电参数' },
    documents: [
      setting('param-connection-timeout', 'ConnectionTimeOut', 'TxCtrlr.EVConnectionTimeOut'),
      setting(
        'param-ev-disconnect',
        'StopTransactionOnEVSideDisconnect',
        'UnlockConnectorOnEVSideDisconnect',
        'TxCtrlr.StopTxOnEVSideDisconnect',
      ),
      setting(
        'param-invalid-id',
        'StopTransactionOnInvalidId',
        'MaxEnergyOnInvalidId',
        ...of('TxCtrlr', 'StopTxOnInvalidId', 'MaxEnergyOnInvalidId'),
      ),
      setting('param-tx-points', ...of('TxCtrlr', 'TxStartPoint', 'TxStopPoint')),
      setting('param-lights', 'LightIntensity', 'BlinkRepeat'),
      setting(
        'param-phases',
        'ConnectorPhaseRotation',
        'ConnectorPhaseRotationMaxLength',
        'ConnectorSwitch3to1PhaseSupported',
        'ChargingStation.SupplyPhases',
      ),
      setting(
        'param-smart-charging',
        'ChargeProfileMaxStackLevel',
        'ChargingScheduleAllowedChargingRateUnit',
        'ChargingScheduleMaxPeriods',
        'MaxChargingProfilesInstalled',
        ...of(
          'SmartChargingCtrlr',
          'Enabled',
          'ProfileStackLevel',
          'RateUnit',
          'PeriodsPerSchedule',
          'Entries',
          'LimitChangeSignificance',
        ),
      ),
      setting(
        'param-v2g-limits',
        ...of('V2XChargingCtrlr', 'Enabled', 'MaxDischargePower', 'MinSoC', 'MaxSoC', 'RampRate'),
      ),
      setting('param-v2g-frequency', ...of('V2XChargingCtrlr', 'FrequencyResponse', 'FrequencyDeadband')),
    ],
  },
  {
    key: 'parameters/authorization',
    ...{ nameEn: 'Authorization', nameZh: '鉴权参数' },
    documents: [
      setting('param-remote-start', 'AuthorizeRemoteTxRequests', 'AuthCtrlr.AuthorizeRemoteStart'),
      setting('param-auth-cache', 'AuthorizationCacheEnabled', 'AuthCacheCtrlr.Enabled'),
      setting(
        'param-local-list',
        'LocalAuthListEnabled',
        'LocalAuthListMaxLength',
        'SendLocalListMaxLength',
        ...of('LocalAuthListCtrlr', 'Enabled', 'Entries', 'ItemsPerMessage'),
      ),
      setting(
        'param-offline-auth',
        'LocalAuthorizeOffline',
        'AllowOfflineTxForUnknownId',
        ...of('AuthCtrlr', 'LocalAuthorizeOffline', 'OfflineTxForUnknownIdEnabled'),
      ),
      setting('param-pre-authorize', 'LocalPreAuthorize', 'AuthCtrlr.LocalPreAuthorize'),
      setting('param-auth-enabled', 'AuthCtrlr.Enabled'),
      setting(
        'param-reservation',
        'ReserveConnectorZeroSupported',
        ...of('ReservationCtrlr', 'Enabled', 'NonEvseSpecific'),
      ),
    ],
  },
  {
    key: 'parameters/sampling',
    ...{ nameEn: 'Meter values', nameZh: '采样参数' },
    documents: [
      setting('param-sample-interval', 'MeterValueSampleInterval', 'SampledDataCtrlr.TxUpdatedInterval'),
      setting(
        'param-sampled-data',
        'MeterValuesSampledData',
        'MeterValuesSampledDataMaxLength',
        'SampledDataCtrlr.TxUpdatedMeasurands',
      ),
      setting(
        'param-stop-data',
        'StopTxnSampledData',
        'StopTxnAlignedData',
        'StopTxnSampledDataMaxLength',
        'StopTxnAlignedDataMaxLength',
        'SampledDataCtrlr.TxEndedMeasurands',
        'AlignedDataCtrlr.TxEndedMeasurands',
      ),
      setting(
        'param-aligned-data',
        'ClockAlignedDataInterval',
        'MeterValuesAlignedData',
        'MeterValuesAlignedDataMaxLength',
        ...of('AlignedDataCtrlr', 'Interval', 'Measurands'),
      ),
    ],
  },
  {
    key: 'parameters/identity',
    ...{ nameEn: 'Identity and abilities', nameZh: '设备标识与能力' },
    documents: [
      setting(
        'param-features',
        'SupportedFeatureProfiles',
        'SupportedFeatureProfilesMaxLength',
        'SupportedFileTransferProtocols',
      ),
      setting(
        'param-station',
        'NumberOfConnectors',
        ...of('ChargingStation', 'Model', 'VendorName', 'SerialNumber', 'FirmwareVersion'),
        'Connector.ConnectorType',
        'EVSE.Power',
      ),
      setting(
        'param-availability',
        'ChargingStation.AvailabilityState',
        'EVSE.AvailabilityState',
        'Connector.AvailabilityState',
      ),
      setting(
        'param-config-limits',
        'GetConfigurationMaxKeys',
        ...of('DeviceDataCtrlr', 'ItemsPerMessage', 'BytesPerMessage'),
      ),
    ],
  },
  {
    key: 'parameters/storage',
    ...{ nameEn: 'Storage units', nameZh: '储能参数' },
    documents: [
      setting('param-storage-mode', 'Settings/Mode', 'Settings/Power Setpoint'),
      setting('param-storage-soc', 'Settings/SoC Min', 'Settings/SoC Max', 'Settings/Backup Reserve'),
      setting('param-storage-power', 'Settings/Charge Power Max', 'Settings/Discharge Power Max'),
      setting(
        'param-storage-grid',
        'Settings/Grid Charging',
        'Settings/Feed In',
        'Settings/Feed In Limit',
        'Settings/Charge From',
        'Settings/Charge To',
      ),
      setting('param-storage-communication', 'Settings/Report Interval', 'Settings/Meter Address'),
    ],
  },
  { key: 'readings', nameEn: 'Readings', nameZh: '读数', documents: [] },
  {
    key: 'readings/metering',
    ...{ nameEn: 'Charging piles', nameZh: '充电桩读数' },
    documents: [
      reading(
        'reading-energy',
        'Energy.Active.Import.Register',
        'Energy.Active.Import.Interval',
        'Energy.Active.Export.Register',
        'Energy.Active.Export.Interval',
      ),
      reading('reading-power', 'Power.Active.Import', 'Power.Active.Export'),
      reading('reading-offered', 'Current.Offered', 'Power.Offered'),
      reading('reading-current', 'Current.Import', 'Current.Export'),
      reading('reading-voltage', 'Voltage'),
      reading(
        'reading-reactive',
        'Power.Factor',
        'Power.Reactive.Import',
        'Power.Reactive.Export',
        'Energy.Reactive.Import.Register',
        'Energy.Reactive.Export.Register',
        'Energy.Reactive.Import.Interval',
        'Energy.Reactive.Export.Interval',
      ),
      reading('reading-soc', 'SoC'),
      reading('reading-temperature', 'Temperature'),
      reading('reading-frequency', 'Frequency', 'V2X.GridFrequency'),
      reading('reading-fan', 'RPM'),
      reading('reading-v2g', ...of('V2X', 'State', 'DischargePower', 'DischargedEnergy', 'VehicleMinSoC')),
      reading('reading-isolation', 'V2X.Isolation'),
    ],
  },
  {
    key: 'readings/storage',
    ...{ nameEn: 'Storage units', nameZh: '储能读数' },
    documents: [
      reading(
        'reading-storage-identity',
        'Properties/Model',
        'Properties/Serial',
        'Properties/Firmware',
        'PlcFirmwareVersion',
        'Properties/Rated Power',
        'Properties/Rated Energy',
      ),
      reading('reading-battery-state', 'Battery/State', 'Battery/SoC'),
      reading('reading-battery-health', 'Battery/SoH', 'Battery/Cycles'),
      reading(
        'reading-battery-power',
        'Battery/Power',
        'Battery/Voltage',
        'Battery/Current',
        'Battery/Charged Energy',
        'Battery/Discharged Energy',
      ),
      reading('reading-battery-cells', 'Battery/Cell Voltage Max', 'Battery/Cell Voltage Min'),
      reading('reading-battery-temperature', 'Battery/Temperature', 'Battery/Cell Temperature Max'),
      reading(
        'reading-grid',
        'Grid/Power',
        'Grid/Voltage',
        'Grid/Frequency',
        'Grid/Imported Energy',
        'Grid/Exported Energy',
      ),
      reading('reading-load-solar', 'Load/Power', 'PV/Power', 'PV/Energy'),
      reading('reading-inverter', 'Inverter/Temperature', 'Inverter/Fault'),
    ],
  },
];
