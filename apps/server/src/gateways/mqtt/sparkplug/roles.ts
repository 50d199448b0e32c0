import { numberField } from './payload.ts';
import type { IMetric } from './proto.ts';
import { isInteger, isNumeric, type MetricType, type MetricValue, metricType, readValue } from './values.ts';

/** The role of a metric, in addition to being a reading or text as most are. */
export type Role =
  | 'measure'
  | 'parameter'
  | 'alarm'
  | 'state'
  | 'fault'
  | 'control'
  | 'enabled'
  | 'answer'
  | 'version'
  | 'firmware'
  | 'log'
  | 'transfer';

/** A metric as its birth described it. */
export interface Definition {
  /** the key it is stored with; for a component behind an edge node with the component's id as prefix */
  key: string;
  /** the name that the device uses */
  name: string;
  type: MetricType;
  role: Role;
  unit: string;
  /** keeps all digits; only increases */
  counter: boolean;
  readonly: boolean;
  /** for alarms */
  level: 'OA' | 'MA' | 'CA';
  kind: 'alarm' | 'fault' | 'unavailable';
  /** the latest value */
  value: MetricValue;
}

/** Metrics below these names are controls, parameters, or faults and alarms (docs/mqtt.md). */
const CONTROLS = /^(Node|Device) Control\//;
const PARAMETERS = 'Settings/';
export const ALARMS = 'Alarms/';
const ENABLED = 'Control/Enabled';
const STATE_KEYS: ReadonlySet<string> = new Set(['Battery/State', 'State']);
const VERSION_KEYS: ReadonlySet<string> = new Set([
  'Properties/Firmware',
  'Properties/Firmware Version',
  'Properties/Software Version',
  'Node Info/Firmware',
]);
/** Counters, by the last word of their names: they need more digits than the 24 bits of a `real`. */
const COUNTS = /(Energy|Register|Total|Count|Cycles)$/;
/** Integers with more digits than a `real` can hold. */
const WIDE: ReadonlySet<MetricType> = new Set(['UInt32', 'Int64', 'UInt64']);
/** The longest key that is stored. Longer ones could not be distinguished. */
const KEY_CHARACTERS = 100;

/** Reads a metric of a birth. A returned text is the reason why it is not stored. */
export function define(metric: IMetric, prefix: string): Definition | string {
  const { name } = metric;
  const key = prefix + name;
  if (name === '') return 'a metric without a name';
  if (key.length > KEY_CHARACTERS) return `${key.slice(0, 60)}… has a name of more than ${KEY_CHARACTERS} characters`;
  const type = metricType(metric.datatype);
  if (!type) return `${key} has a type that is not stored (${metric.datatype})`;
  const properties = readProperties(metric);
  const unit = ['engUnit', 'engUnits', 'Engineering Units', 'unit'].map((one) => properties.get(one)).find(isText);
  const level = (['OA', 'MA', 'CA'] as const).find((one) => one === properties.get('level'));
  const kind = (['alarm', 'fault', 'unavailable'] as const).find((one) => one === properties.get('kind'));
  return {
    ...{ key, name, type, role: roleOf(key, name, type, properties), unit: unit?.slice(0, 20) ?? '' },
    counter: properties.get('counter') === true || WIDE.has(type) || COUNTS.test(name),
    readonly: properties.get('readOnly') === true,
    ...{ level: level ?? 'OA', kind: kind ?? 'alarm', value: null },
  };
}

function roleOf(key: string, name: string, type: MetricType, properties: ReadonlyMap<string, MetricValue>): Role {
  if (CONTROLS.test(name)) {
    if (name.endsWith(ENABLED) && type === 'Boolean') return 'enabled';
    return name.endsWith('Control/Answer') ? 'answer' : 'control';
  }
  if (key.startsWith(PARAMETERS) || name.startsWith(PARAMETERS) || properties.get('writable') === true)
    return 'parameter';
  if ((key.startsWith(ALARMS) || name.startsWith(ALARMS)) && isNumeric(type)) return 'alarm';
  if (STATE_KEYS.has(key)) return 'state';
  if (/(^|\/)Fault$/.test(key) && isInteger(type)) return 'fault';
  if (VERSION_KEYS.has(key)) return 'version';
  if (key === 'Firmware/Status') return 'firmware';
  if (key === 'Log/Status') return 'log';
  return key === 'Firmware/Request' || key === 'Log/Request' ? 'transfer' : 'measure';
}

/** The first properties of a metric that have plain values. */
function readProperties({ properties }: IMetric): Map<string, MetricValue> {
  const read = new Map<string, MetricValue>();
  const { keys = [], values = [] } = properties ?? {};
  for (const [index, name] of (keys ?? []).slice(0, 32).entries()) {
    const property = values?.[index] as IMetric | undefined;
    const type = property && metricType(numberField(property as { type?: unknown }, 'type'));
    const value = type ? readValue(property, type) : undefined;
    if (value !== undefined) read.set(name, value);
  }
  return read;
}

function isText(value: MetricValue | undefined): value is string {
  return typeof value === 'string' && value !== '';
}
