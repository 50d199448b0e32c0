import { isImpossibleTime, readingTime, trustedTime, unitProblem } from '@chargehand/domain';
import type { ReadingEvent, UplinkEvent } from '../../../ports/uplink.ts';
import { BoundedNotes } from '../../bounded-notes.ts';
import type { Condition } from '../condition.ts';
import type { Fact } from '../facts.ts';
import { readAnswer } from './answer.ts';
import { type EdgePayload, numberField } from './payload.ts';
import type { IMetric } from './proto.ts';
import { ALARMS, type Definition, define } from './roles.ts';
import { isNumeric, type MetricValue, metricType, notFinite, readValue, writeValue } from './values.ts';

/** The result of a message of an edge node. */
export interface Reading {
  events: UplinkEvent[];
  facts: Fact[];
  /** the notes about the message for the protocol log */
  notes: string[];
  /** the metrics that are not stored, and why */
  refused: string[];
  /** it contains an unknown metric: births must be requested */
  rebirthNeeded: boolean;
}

/** Aliases are unique among all metrics of an edge node and its devices (Sparkplug 3.0 §6.4.8). */
export type Aliases = Map<string, Definition>;

/**
 * Numbers that are stored together. A device reports only changes, so missing values are unchanged. A group is always
 * stored as a whole: there are as many layouts of readings as groups, not as combinations of values.
 */
const GROUP_SIZE = 64;
/** Values that are reported with a boot. */
const BOOT_VALUES = 60;

/** What one edge node, or one device behind it, declared in its birth, and its latest values since. */
export class NodeMetrics {
  readonly #prefix: string;
  readonly #aliases: Aliases;
  /** the metrics declared here; the others belong to the same edge node, and there may be many */
  #ownAliases: Aliases = new Map();
  #definitions = new Map<string, Definition>();
  #groups: Definition[][] = [];
  #groupOf = new Map<Definition, number>();
  /** the keys of the fault codes that were passed to the condition of the device */
  #faults: string[] = [];

  /** @param prefix the prefix of the keys of a component that is not a device of its own; '' otherwise */
  constructor(prefix: string, aliases: Aliases) {
    this.#prefix = prefix;
    this.#aliases = aliases;
  }

  /** The metric with a key, if it was in a birth. */
  find(key: string): Definition | undefined {
    return key.startsWith(this.#prefix) ? this.#definitions.get(key.slice(this.#prefix.length)) : undefined;
  }

  /** The metric with the device's own name, without the prefix. */
  own(name: string): Definition | undefined {
    return this.#definitions.get(name);
  }

  /** The number of declared metrics. */
  get size(): number {
    return this.#definitions.size;
  }

  /** Removes everything, and its faults from the condition of its device: the component died. */
  leave(condition: Condition): void {
    this.clear();
    this.#withdrawFaults(condition);
  }

  /** Removes everything: the node died or is reborn. Faults of a component last until its own birth. */
  clear(): void {
    for (const [alias, definition] of this.#ownAliases) {
      if (this.#aliases.get(alias) === definition) this.#aliases.delete(alias);
    }
    this.#ownAliases = new Map();
    this.#definitions = new Map();
    this.#groups = [];
    this.#groupOf = new Map();
  }

  /** Reads a birth: everything a device has, with types and values. */
  born(payload: EdgePayload, receivedAt: Date, condition: Condition): Reading {
    const former = this.#definitions;
    this.clear();
    const notes = new Notes(payload.refused);
    const at = notedTime(payload.timestamp, receivedAt, notes);
    for (const metric of payload.metrics) {
      if (metric.name === 'bdSeq') continue;
      const definition = define(metric, this.#prefix);
      // Types that are not stored are no fault of the device.
      if (typeof definition === 'string') {
        (metricType(metric.datatype) ? notes.refused : notes).add(`${definition}; left out`);
      } else this.#enter(metric, definition, former.get(definition.name), notes);
    }
    this.#group();
    const all = [...this.#definitions.values()];
    this.#withdrawFaults(condition);
    this.#faults = all.filter(({ role }) => role === 'fault').map(({ key }) => key);
    const events: UplinkEvent[] =
      at === null ? [] : this.#groups.flatMap((group) => readingOf(group, at, receivedAt, notes));
    events.push(...this.#textsOf(all, payload.timestamp, receivedAt, condition, notes));
    const entries = all.filter(({ role }) => role === 'parameter').map(parameterOf);
    if (entries.length > 0 || this.#prefix === '') {
      events.push({ kind: 'parameters', at: receivedAt, entries, unknownKeys: [], complete: this.#prefix === '' });
    }
    const facts = all.map(({ key, value }): Fact => ({ type: 'value', key, value }));
    return { events, facts, notes: notes.list, refused: notes.refused.list, rebirthNeeded: false };
  }

  /** Reads a data message: the changes. */
  data(payload: EdgePayload, receivedAt: Date, condition: Condition): Reading {
    const notes = new Notes(payload.refused);
    const changed = new Map<Definition, { value: MetricValue; time: number | null }>();
    const past: UplinkEvent[] = [];
    let rebirthNeeded = false;
    for (const metric of payload.metrics) {
      const definition = this.#definitionOf(metric);
      const odd = notFinite(metric);
      if (definition && odd !== null) {
        notes.refused.add(`${definition.key} is ${odd}; ignored`);
        continue;
      }
      const problem = definition ? typeProblem(metric, definition) : `${nameOf(metric)} was not in a birth`;
      if (!definition || problem !== null) {
        notes.refused.add(`${problem}; ignored`);
        rebirthNeeded = true;
        continue;
      }
      const value = readValue(metric, definition.type) as MetricValue;
      const time = numberField(metric, 'timestamp') ?? payload.timestamp;
      if (isImpossible(time, receivedAt)) {
        notes.refused.add(`${definition.key} is of ${writeTime(time)}, more than a day in the future; ignored`);
        continue;
      }
      if (metric.isHistorical === true) past.push(...historical(definition, value, time, receivedAt, notes));
      else {
        // Twice in one message: the earlier value was valid in between.
        const before = changed.get(definition);
        if (before) past.push(...historical(definition, before.value, before.time, receivedAt, notes));
        changed.set(definition, { value, time });
      }
    }
    for (const [definition, { value }] of changed) definition.value = value;
    return {
      events: [...past, ...this.#present(changed, payload.timestamp, receivedAt, condition, notes)],
      facts: [...changed.keys()].flatMap(factsOf),
      notes: notes.list,
      refused: notes.refused.list,
      rebirthNeeded,
    };
  }

  /** What a device reports about itself when it starts. */
  boot(): { softVersion: string | null; boot: Record<string, unknown> } {
    const all = [...this.#definitions.values()].filter(({ value }) => value !== null);
    const version = all.find(({ role }) => role === 'version')?.value ?? null;
    const properties = all.filter(({ key }) => key.startsWith('Properties/')).slice(0, BOOT_VALUES);
    return {
      softVersion: version === null ? null : String(version),
      boot: Object.fromEntries(properties.map(({ key, value }) => [key, value])),
    };
  }

  /** A birth without a fault code, like the death of its component, ends the fault. */
  #withdrawFaults(condition: Condition): void {
    for (const key of this.#faults) condition.fault(key, 0);
    this.#faults = [];
  }

  #enter(metric: IMetric, definition: Definition, former: Definition | undefined, notes: Notes): void {
    if (this.#definitions.has(definition.name)) {
      notes.refused.add(`${definition.key} occurs twice; the first one counts`);
      return;
    }
    if (former && former.type !== definition.type) {
      notes.add(`${definition.key} was ${former.type} and is ${definition.type} since this birth`);
    }
    const value = readValue(metric, definition.type);
    const odd = notFinite(metric);
    if (odd !== null) notes.refused.add(`${definition.key} is ${odd}; left out`);
    else if (value === undefined)
      notes.refused.add(`the value of ${definition.key} is no ${definition.type}; left out`);
    definition.value = value ?? null;
    this.#definitions.set(definition.name, definition);
    if (!Object.hasOwn(metric, 'alias')) return;
    const alias = String(metric.alias);
    if (this.#aliases.has(alias)) notes.add(`alias ${alias} of ${definition.key} is also the alias of another metric`);
    this.#aliases.set(alias, definition);
    this.#ownAliases.set(alias, definition);
  }

  #group(): void {
    const numeric = [...this.#definitions.values()].filter(isReading).sort((a, b) => (a.key < b.key ? -1 : 1));
    let group: Definition[] = [];
    let topic = '';
    for (const definition of numeric) {
      const [first = ''] = definition.key.split('/');
      if (group.length === 0 || first !== topic || group.length >= GROUP_SIZE) {
        group = [];
        this.#groups.push(group);
        topic = first;
      }
      group.push(definition);
      this.#groupOf.set(definition, this.#groups.length - 1);
    }
  }

  #definitionOf(metric: IMetric): Definition | undefined {
    if (Object.hasOwn(metric, 'name') && metric.name !== '') return this.#definitions.get(metric.name);
    const definition = Object.hasOwn(metric, 'alias') ? this.#aliases.get(String(metric.alias)) : undefined;
    return definition && this.#definitions.get(definition.name) === definition ? definition : undefined;
  }

  /** The current values: whole groups with changes, and everything that is more than a number. */
  #present(
    changed: ReadonlyMap<Definition, { time: number | null }>,
    timestamp: number | null,
    receivedAt: Date,
    condition: Condition,
    notes: Notes,
  ): UplinkEvent[] {
    const latest = new Map<number, number | null>();
    for (const [definition, { time }] of changed) {
      const group = this.#groupOf.get(definition);
      if (group !== undefined) latest.set(group, later(latest.get(group) ?? null, time));
    }
    const events: UplinkEvent[] = [...latest].flatMap(([group, time]) => {
      const at = notedTime(time, receivedAt, notes);
      return at === null ? [] : readingOf(this.#groups[group] ?? [], at, receivedAt, notes);
    });
    const all = [...changed.keys()];
    const parameters = all.filter(({ role }) => role === 'parameter').map(parameterOf);
    if (parameters.length > 0) {
      events.push({ kind: 'parameters', at: receivedAt, entries: parameters, unknownKeys: [], complete: false });
    }
    events.push(...this.#textsOf(all, timestamp, receivedAt, condition, notes));
    return events;
  }

  /** Texts, alarms, states, faults and progress among metrics. */
  #textsOf(
    all: readonly Definition[],
    timestamp: number | null,
    receivedAt: Date,
    condition: Condition,
    notes: Notes,
  ): UplinkEvent[] {
    const events: UplinkEvent[] = [];
    const texts = all.filter((one) => WORDED.has(one.role) && one.value !== null && isText(one));
    const values = texts.map(({ key, value }) => ({ key, value: String(value) }));
    const textsAt = values.length > 0 ? notedTime(timestamp, receivedAt, notes) : null;
    if (textsAt !== null) events.push({ kind: 'texts', connector: 0, at: textsAt, receivedAt, values });
    // A state or an alarm with a wrong time is of now: it must not be lost.
    const { at } = trustedTime(timestamp === null ? null : new Date(timestamp), receivedAt);
    for (const definition of all) {
      const { role, key, value } = definition;
      if (value === null) continue;
      if (role === 'alarm') events.push(alarmOf(definition, at));
      else if (role === 'state' && !condition.state(value))
        notes.add(`${key} ${String(value).slice(0, 40)} is not a known state`);
      else if (role === 'fault') condition.fault(key, Number(value));
      else if (role === 'enabled') condition.enabled(value === true);
      else if (role === 'firmware' || role === 'log') events.push(...this.#progressOf(definition, at));
    }
    events.push(...condition.events(at));
    return events;
  }

  #progressOf({ role, value }: Definition, at: Date): UplinkEvent[] {
    if (typeof value !== 'string' || value === '' || value === 'Idle') return [];
    const request = this.#definitions.get(role === 'firmware' ? 'Firmware/Request' : 'Log/Request')?.value ?? null;
    const kind = role === 'firmware' ? 'firmwareStatus' : 'diagnosticsStatus';
    return [{ kind, at, status: value, ...(request === null ? {} : { requestId: String(request) }) }];
  }
}

const WORDED: ReadonlySet<string> = new Set(['measure', 'state', 'version', 'firmware', 'log', 'transfer']);

/** The notes about a message, and what of it is refused. */
class Notes extends BoundedNotes {
  readonly refused = new BoundedNotes();

  constructor(refused: readonly string[]) {
    super();
    for (const one of refused) this.refused.add(one);
  }
}

/** Why a value does not match the born metric, or null when it does. */
function typeProblem(metric: IMetric, { key, type }: Definition): string | null {
  const claimed = numberField(metric, 'datatype');
  const name = metricType(claimed);
  if (claimed !== null && claimed !== 0 && name !== type) {
    return `${key} was in a birth as ${type} and came as ${name ?? `type ${claimed}`}`;
  }
  return readValue(metric, type) === undefined
    ? `${key} was in a birth as ${type} and came with a value of another type`
    : null;
}

function nameOf(metric: IMetric): string {
  return metric.name === '' ? `alias ${String(metric.alias)}` : metric.name.slice(0, 80);
}

function isReading({ type, role }: Definition): boolean {
  return isNumeric(type) && (role === 'measure' || role === 'state' || role === 'fault');
}

function readingOf(group: readonly Definition[], at: Date, receivedAt: Date, notes: Notes): ReadingEvent[] {
  const values = group.flatMap((one) => {
    const { key, unit, counter, value } = one;
    const problem = unitProblem(key, unit);
    if (problem !== null) {
      notes.refused.add(`${problem}; ignored`);
      return [];
    }
    return value === null || isText(one) ? [] : [{ key, unit, counter, value: Number(value) }];
  });
  return values.length === 0 ? [] : [{ kind: 'reading', connector: 0, at, receivedAt, transactionId: null, values }];
}

/** A historical value: stored alone, because the rest of its group at that time is unknown. */
function historical(
  definition: Definition,
  value: MetricValue,
  time: number | null,
  receivedAt: Date,
  notes: Notes,
): UplinkEvent[] {
  if (value === null) return [];
  const at = notedTime(time, receivedAt, notes);
  if (at === null) return [];
  if (isReading(definition) && typeof value !== 'string') {
    return readingOf([{ ...definition, value }], at, receivedAt, notes);
  }
  if (!isText({ ...definition, value }) || !WORDED.has(definition.role)) return [];
  return [{ kind: 'texts', connector: 0, at, receivedAt, values: [{ key: definition.key, value: String(value) }] }];
}

function parameterOf({ key, value, type, readonly }: Definition) {
  return { key, value: value === null ? null : writeValue(value, type), readonly };
}

function alarmOf({ key, name, value, level, kind }: Definition, at: Date): UplinkEvent {
  const code = key.startsWith(ALARMS) ? key.slice(ALARMS.length) : key.replace(name, name.slice(ALARMS.length));
  return {
    ...{ kind: 'alarm', connector: 0, at, code: code.slice(0, 64), alarmKind: kind, level, info: null },
    active: value !== false && value !== 0,
  };
}

function factsOf({ key, role, value }: Definition): Fact[] {
  return role === 'answer' ? readAnswer(value) : [{ type: 'value', key, value }];
}

/** True for values that are stored as text: strings, times, and integers that a double cannot hold. */
function isText({ type, value }: Definition): boolean {
  return !isNumeric(type) || typeof value === 'string';
}

/** The last time that a `Date` can hold. Devices that count nanoseconds report later ones. */
const LAST_TIME_MS = 8.64e15;

function isImpossible(time: number | null, receivedAt: Date): boolean {
  return time !== null && isImpossibleTime(new Date(Math.min(time, LAST_TIME_MS)), receivedAt);
}

/** A time for the log; its milliseconds when a `Date` cannot hold it. */
function writeTime(time: number | null): string {
  const at = new Date(time ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? String(time) : at.toISOString();
}

/** The time of readings and texts; null, with a note, if they are ignored because of it. */
function notedTime(time: number | null, receivedAt: Date, notes: Notes): Date | null {
  const known = readingTime(time === null ? null : new Date(Math.min(time, LAST_TIME_MS)), receivedAt);
  if (known.at === null) notes.refused.add(`the time ${writeTime(time)} ${known.problem}; its values are ignored`);
  return known.at;
}

function later(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}
