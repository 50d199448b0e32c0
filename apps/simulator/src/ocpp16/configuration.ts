import { MEASURANDS } from './transactions/meter-values.ts';

/** OCPP 1.6 ConfigurationStatus (section 7.22). */
export type ChangeStatus = 'Accepted' | 'Rejected' | 'RebootRequired' | 'NotSupported';

/** One entry of GetConfiguration.conf. A write-only key has no value. */
export interface ConfigurationKey {
  key: string;
  readonly: boolean;
  value?: string;
}

/**
 * The configuration of one charge point: a table shared by all (below) and the few values that differ from it, so that
 * thousands of charge points share one table.
 */
export class Configuration {
  readonly #own = new Map<string, string>();

  /** @param own values in which this charge point differs from the table; not checked. */
  constructor(own: Record<string, string | number> = {}) {
    for (const [key, value] of Object.entries(own)) this.#own.set(key, String(value));
  }

  /** The value of a key of the table. Throws for other keys, which indicates a programming error. */
  get(key: string): string {
    const entry = TABLE.get(key);
    if (entry === undefined) throw new RangeError(`no configuration key ${key}`);
    return this.#own.get(key) ?? entry.value;
  }

  integer(key: string): number {
    return Number(this.get(key));
  }

  boolean(key: string): boolean {
    return this.get(key) === 'true';
  }

  list(key: string): string[] {
    return this.get(key).split(',');
  }

  /** Sets a value internally, without the checks for central systems. */
  set(key: string, value: string | number): void {
    this.#own.set(key, String(value));
  }

  /**
   * The response to GetConfiguration (section 5.8): all keys or the requested ones, with unknown keys listed
   * separately.
   */
  read(keys: readonly string[]): { configurationKey: ConfigurationKey[]; unknownKey: string[] } {
    const requested = keys.length === 0 ? [...TABLE.keys()] : keys;
    const configurationKey: ConfigurationKey[] = [];
    const unknownKey: string[] = [];
    for (const key of requested) {
      const entry = TABLE.get(key);
      if (entry === undefined) unknownKey.push(key);
      else if (entry.writeOnly) configurationKey.push({ key, readonly: false });
      else configurationKey.push({ key, readonly: entry.check === null, value: this.get(key) });
    }
    return { configurationKey, unknownKey };
  }

  /** Executes ChangeConfiguration (section 5.3). A RebootRequired value is stored, and used after the next boot. */
  change(key: string, value: string): ChangeStatus {
    const entry = TABLE.get(key);
    if (entry === undefined) return 'NotSupported';
    if (entry.check === null || !entry.check(value)) return 'Rejected';
    this.#own.set(key, value);
    return entry.reboot ? 'RebootRequired' : 'Accepted';
  }
}

type Check = (value: string) => boolean;

interface Entry {
  value: string;
  /** null: read-only. */
  check: Check | null;
  reboot?: boolean;
  writeOnly?: boolean;
}

const integer =
  (low: number, high: number): Check =>
  (value) =>
    /^\d{1,9}$/.test(value) && Number(value) >= low && Number(value) <= high;
const boolean: Check = (value) => value === 'true' || value === 'false';
const oneOf =
  (...values: string[]): Check =>
  (value) =>
    values.includes(value);
const text =
  (low: number, high: number): Check =>
  (value) =>
    value.length >= low && value.length <= high;
const measurands: Check = (value) =>
  value === '' || value.split(',').every((name) => MEASURANDS.some((known) => known === name));

const DAY = 86_400;

/** Standard keys with their names, access and meaning of OCPP 1.6 section 9, followed by the vendor's own. */
const TABLE: ReadonlyMap<string, Entry> = new Map<string, Entry>([
  ['AllowOfflineTxForUnknownId', { value: 'true', check: boolean }],
  ['AuthorizationCacheEnabled', { value: 'false', check: boolean }],
  ['AuthorizeRemoteTxRequests', { value: 'false', check: boolean }],
  ['ClockAlignedDataInterval', { value: '0', check: null }],
  ['ConnectionTimeOut', { value: '60', check: integer(5, 3600) }],
  ['ConnectorPhaseRotation', { value: '0.RST', check: null }],
  ['GetConfigurationMaxKeys', { value: '50', check: null }],
  ['HeartbeatInterval', { value: '300', check: integer(1, DAY) }],
  ['LocalAuthorizeOffline', { value: 'true', check: boolean }],
  ['LocalPreAuthorize', { value: 'false', check: boolean }],
  ['MeterValuesAlignedData', { value: '', check: null }],
  ['MeterValuesSampledData', { value: MEASURANDS.join(','), check: measurands }],
  ['MeterValueSampleInterval', { value: '60', check: integer(0, DAY) }],
  ['NumberOfConnectors', { value: '1', check: null }],
  ['ResetRetries', { value: '1', check: integer(0, 10) }],
  ['StopTransactionOnEVSideDisconnect', { value: 'true', check: null }],
  ['StopTransactionOnInvalidId', { value: 'true', check: boolean }],
  ['StopTxnAlignedData', { value: '', check: null }],
  ['StopTxnSampledData', { value: '', check: null }],
  ['SupportedFeatureProfiles', { value: 'Core,FirmwareManagement,LocalAuthListManagement,RemoteTrigger', check: null }],
  ['TransactionMessageAttempts', { value: '3', check: integer(1, 100) }],
  ['TransactionMessageRetryInterval', { value: '10', check: integer(1, 3600) }],
  ['UnlockConnectorOnEVSideDisconnect', { value: 'true', check: boolean }],
  ['WebSocketPingInterval', { value: '0', check: null }],
  ['LocalAuthListEnabled', { value: 'true', check: boolean }],
  ['LocalAuthListMaxLength', { value: '1000', check: null }],
  ['SendLocalListMaxLength', { value: '200', check: null }],
  ['AuthorizationKey', { value: '', check: text(16, 40), reboot: true, writeOnly: true }],
  ['CabinetFanStartTemperature', { value: '45', check: integer(20, 70) }],
  ['DisplayLanguage', { value: 'en', check: oneOf('en', 'zh', 'de', 'fr') }],
  ['LedBrightness', { value: '80', check: integer(0, 100) }],
  ['MobileNetworkApn', { value: 'iot.example', check: text(1, 63), reboot: true }],
  ['PlcFirmwareVersion', { value: '1.4.0', check: null }],
  ['OutputPowerLimitPercent', { value: '100', check: integer(10, 100) }],
  ['TimeZone', { value: 'Asia/Hong_Kong', check: text(1, 40), reboot: true }],
]);
