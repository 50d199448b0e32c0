import { exceededJsonLimit } from '../text/json-limits.ts';
import { OCPP_FIELDS, OCPP_UNITS, type Texts } from './ocpp-fields.ts';
import { OCPP_ENUMERATIONS, OCPP_VALUES } from './ocpp-values.ts';
import {
  COMMANDS,
  JSON_FIELDS,
  JSON_VALUES,
  METRICS,
  PARAMETER_UNITS,
  PARAMETERS,
  SPARKPLUG_FIELDS,
} from './own-fields.ts';

/** A frame whose text is parsed. */
export interface ParsedFrame {
  /** a request, its result or error, or a message without a response */
  kind: 'call' | 'result' | 'error' | 'message';
  /** the action of the request, also for its result; the topic of an MQTT message */
  action: string | null;
  payload: unknown;
}

/** A field of a frame. */
export interface ExplainedField {
  /** such as `meterValue[0].sampledValue[1].value` */
  path: string;
  value: unknown;
  /** empty: not described */
  meaning: string;
  unit?: string;
}

/** The maximum number of fields that are explained. */
const MOST_FIELDS = 500;

/** The message in the text of a frame: of OCPP-J, or any other JSON. Null for other text. */
export function parseFrame(body: string | null, action: string | null): ParsedFrame | null {
  const message = body === null ? undefined : parsed(body);
  if (message === undefined) return null;
  if (Array.isArray(message) && typeof message[1] === 'string') {
    // 6 is SEND of OCPP 2.1, a request without a response.
    if (message[0] === 2 || message[0] === 6)
      return { kind: message[0] === 2 ? 'call' : 'message', action: String(message[2]), payload: message[3] };
    if (message[0] === 3) return { kind: 'result', action, payload: message[2] };
    if (message[0] === 4) {
      const [, , errorCode, errorDescription, errorDetails] = message;
      return { kind: 'error', action, payload: { errorCode, errorDescription, errorDetails } };
    }
  }
  return { kind: 'message', action, payload: message };
}

/**
 * The fields of a frame with their meanings in a language. A field that is not described has an empty meaning. The protocol
 * is the one of the connection, such as `ocpp1.6`, `mqtt-json` or `sparkplug-b`.
 */
export function explainFrame(
  protocol: string,
  _direction: 'receive' | 'send',
  frame: ParsedFrame,
  locale: string,
): { fields: ExplainedField[] } {
  const say = speaker(locale);
  const explain = protocol === 'mqtt-json' ? ofJson : protocol === 'sparkplug-b' ? ofSparkplug : ofOcpp;
  const fields: ExplainedField[] = [];
  visit(frame.payload, { path: '', name: '', parents: [] }, (place, value) => {
    if (fields.length === MOST_FIELDS) return false;
    for (const [inner, leaf] of leavesOf(frame, place, value)) {
      const { meaning, unit } = explain(frame, inner, leaf, say);
      fields.push({ path: inner.path, value: leaf, meaning, ...(unit === undefined ? {} : { unit }) });
    }
    return true;
  });
  return { fields: fields.slice(0, MOST_FIELDS) };
}

/** Where a value is in a payload. */
interface Place {
  path: string;
  /** the name of the field; that of the list for its entries */
  name: string;
  /** the objects around it, from the outside, with the name of each */
  parents: readonly { name: string; object: Readonly<Record<string, unknown>> }[];
}

interface Meaning {
  meaning: string;
  unit?: string | undefined;
}
/** Finds the first text that exists under some keys; empty without one. */
interface Say {
  (texts: Texts, ...keys: string[]): string;
  colon: string;
  comma: string;
}

/** Texts and punctuation of a language. */
function speaker(locale: string): Say {
  const index = locale.startsWith('zh') ? 1 : 0;
  const say = (texts: Texts, ...keys: string[]) => {
    const key = keys.find((one) => Object.hasOwn(texts, one));
    return key === undefined ? '' : texts[key]![index];
  };
  return Object.assign(say, index === 1 ? { colon: '：', comma: '，' } : { colon: ': ', comma: ', ' });
}

/** Visits the values of a payload that are not objects or lists, in their order, until a call returns false. */
function visit(value: unknown, place: Place, each: (place: Place, value: unknown) => boolean): boolean {
  if (value === undefined) return true;
  if (value === null || typeof value !== 'object' || isEmpty(value)) return place.path === '' || each(place, value);
  const { path, name, parents } = place;
  if (Array.isArray(value))
    return value.every((entry, index) => visit(entry, { path: `${path}[${index}]`, name, parents }, each));
  const object = value as Record<string, unknown>;
  return Object.entries(object).every(([key, inner]) =>
    visit(
      inner,
      { path: path === '' ? key : `${path}.${key}`, name: key, parents: [...parents, { name, object }] },
      each,
    ),
  );
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

/** A value, or for the JSON text in our own DataTransfer the values in it. */
function leavesOf(frame: ParsedFrame, place: Place, value: unknown): (readonly [Place, unknown])[] {
  if (!isOwnData(frame, place)) return [[place, value]];
  const inner = typeof value === 'string' ? parsed(value) : undefined;
  if (inner === null || typeof inner !== 'object') return [[place, value]];
  const leaves: (readonly [Place, unknown])[] = [];
  visit(inner, { ...place, parents: [...place.parents, { name: 'data', object: {} }] }, (one, leaf) => {
    leaves.push([one, leaf]);
    return leaves.length < MOST_FIELDS;
  });
  return leaves.length > 0 ? leaves : [[place, value]];
}

function isOwnData({ action, kind, payload }: ParsedFrame, { path }: Place): boolean {
  return action === 'DataTransfer' && kind === 'call' && path === 'data' && isOwn(payload);
}

function isOwn(payload: unknown): boolean {
  return (payload as { vendorId?: unknown } | null)?.vendorId === 'Chargehand';
}

function parsed(text: string): unknown {
  // A deep text could exhaust the stack.
  if (exceededJsonLimit(text) !== null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function ofOcpp({ kind, action, payload }: ParsedFrame, place: Place, value: unknown, say: Say): Meaning {
  const { path, name, parents } = place;
  if (action === 'DataTransfer' && kind === 'call' && isOwn(payload)) {
    if (path.startsWith('data.') || path.startsWith('data['))
      return { meaning: say(PARAMETERS, name), unit: unitOf(PARAMETER_UNITS, name) };
    if (path === 'messageId' && typeof value === 'string')
      return { meaning: joined(say(OCPP_FIELDS, name), say(COMMANDS, value), say.colon) };
  }
  const owner = parents.at(-1);
  const isOutside = parents.length === 1;
  // A name means the same everywhere only in what the specification describes: not in the data of vendors.
  if (path.startsWith('errorDetails.') || parents.some((parent) => parent.name === 'customData'))
    return { meaning: '' };
  const outer = kind === 'error' ? 'CallError' : (action ?? '');
  const keys = [`${isOutside ? outer : (owner?.name ?? '')}.${name}`, ...(isOutside ? [] : [`${outer}.${name}`]), name];
  const field = say(OCPP_FIELDS, ...keys);
  const word =
    typeof value === 'string' && field !== '' && OCPP_ENUMERATIONS.has(name)
      ? say(OCPP_VALUES, `${name}.${value}`, value)
      : '';
  if (name === 'value' && owner?.name === 'sampledValue') return sampled(owner.object, field, say);
  if (name === 'limit' && owner?.name === 'chargingSchedulePeriod')
    return { meaning: field, unit: textIn(parents.at(-2)?.object, 'chargingRateUnit') };
  return {
    meaning: joined(field, word, say.colon),
    unit: typeof value === 'number' ? unitOf(OCPP_UNITS, name) : undefined,
  };
}

/** A measured value: what was measured, and its unit. Both have defaults in the specification. */
function sampled(sample: Readonly<Record<string, unknown>>, field: string, say: Say): Meaning {
  const measurand = textIn(sample, 'measurand') ?? 'Energy.Active.Import.Register';
  const phase = textIn(sample, 'phase');
  const of = sample.unitOfMeasure as Readonly<Record<string, unknown>> | undefined;
  const unit = textIn(sample, 'unit') ?? textIn(of, 'unit') ?? (measurand.startsWith('Energy.') ? 'Wh' : undefined);
  const what = joined(say(OCPP_VALUES, measurand), phase === undefined ? '' : say(OCPP_VALUES, phase), say.comma);
  return { meaning: joined(field, what, say.colon), unit: unit === undefined ? undefined : (SYMBOLS[unit] ?? unit) };
}

/** Units of OCPP whose symbol differs from their name. */
const SYMBOLS: Readonly<Record<string, string>> = {
  Celcius: '°C',
  Celsius: '°C',
  Fahrenheit: '°F',
  Percent: '%',
};

function ofJson({ action }: ParsedFrame, { path, name, parents }: Place, value: unknown, say: Say): Meaning {
  if (path.startsWith('params.')) return { meaning: say(PARAMETERS, name), unit: unitOf(PARAMETER_UNITS, name) };
  if (path === 'command') return { meaning: joined(say(JSON_FIELDS, name), say(COMMANDS, String(value)), say.colon) };
  const owner = parents.at(-1);
  // The keys below `values` are names of the device.
  if (owner?.name === 'values') return { meaning: say(VALUES_OF, action ?? '') };
  const isMeasured = parents.at(-2)?.name === 'values';
  if (isMeasured && name === 'value')
    return { meaning: say(VALUES_OF, action ?? ''), unit: textIn(owner?.object, 'unit') };
  if (!isMeasured && owner?.name !== '') return { meaning: '' };
  const field = say(JSON_FIELDS, `${action}.${name}`, name);
  const hasWords = ['status', 'state', 'kind'].includes(name);
  const status = name === 'firmwareStatus' || name === 'logStatus' ? say(OCPP_VALUES, String(value)) : '';
  return { meaning: joined(field, hasWords ? say(JSON_VALUES, String(value)) : status, say.colon) };
}

/** The meaning of a named value, by the topic. */
const VALUES_OF: Texts = {
  telemetry: ['Reading', '读数'],
  texts: ['Text', '文本'],
  parameters: ['Value of the parameter', '参数的值'],
};

function ofSparkplug(_frame: ParsedFrame, { name, parents }: Place, value: unknown, say: Say): Meaning {
  const owner = parents.at(-1);
  if (owner?.name !== '' && owner?.name !== 'metrics') return { meaning: '' };
  const field = say(SPARKPLUG_FIELDS, name);
  const metric = textIn(owner?.object, 'name');
  if (name !== 'value' || owner?.name !== 'metrics' || metric === undefined)
    return { meaning: field, unit: owner?.name !== '' || name !== 'timestamp' ? undefined : 'ms' };
  const parts = metric.split('/');
  const last = parts.at(-1)!;
  const alarm = parts[0] === 'Alarms' ? say(GROUPS, 'Alarms') : '';
  const parameter = parts[0] === 'Settings' ? say(GROUPS, 'Settings') : '';
  const known = alarm || parameter || say(METRICS, metric, parts.slice(-2).join('/'), last);
  const word =
    last === 'State'
      ? say(JSON_VALUES, String(value).toLowerCase())
      : last === 'Status'
        ? say(OCPP_VALUES, String(value))
        : '';
  return { meaning: joined(known || field, word, say.colon) };
}

const GROUPS: Texts = {
  Alarms: ['Whether the alarm is raised', '告警是否存在'],
  Settings: ['Value of the parameter', '参数的值'],
};

function joined(field: string, word: string, between: string): string {
  return field !== '' && word !== '' ? `${field}${between}${word}` : field;
}

function textIn(object: Readonly<Record<string, unknown>> | undefined, name: string): string | undefined {
  const value = object?.[name];
  return typeof value === 'string' ? value : undefined;
}

function unitOf(units: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(units, name) ? units[name] : undefined;
}

/** Characters of a version that are stored. */
const VERSION_LENGTH = 100;

/** The version of its software that a device reports with a message; null when the message has none. */
export function reportedVersion({ kind, action, payload }: ParsedFrame): string | null {
  const { firmwareVersion, chargingStation, softVersion } = objectOf(payload);
  const isBoot = kind === 'call' && action === 'BootNotification';
  const version = isBoot
    ? (firmwareVersion ?? objectOf(chargingStation).firmwareVersion)
    : kind === 'message' && action === 'status'
      ? softVersion
      : null;
  return typeof version === 'string' && version !== '' ? version.slice(0, VERSION_LENGTH) : null;
}

function objectOf(value: unknown): Record<string, unknown> {
  return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
}
