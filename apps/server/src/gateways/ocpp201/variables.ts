import { isSecretParameter, readingTime, reportedTime, unitProblem } from '@chargehand/domain';
import type { UplinkEvent } from '../../ports/uplink.ts';
import { BoundedNotes } from '../bounded-notes.ts';
import { toNumber } from '../ocpp/readings.ts';
import { type Component, KEY_CHARACTERS, quantityKey, type Variable, variableKey } from './keys.ts';
import type { PlaceOf } from './reports/evses.ts';

/** ReportDataType of OCPP 2.0.1 part 2 §2.43. */
export interface ReportData {
  component: Component;
  variable: Variable;
  variableAttribute: { type?: string; value?: string; mutability?: string }[];
  variableCharacteristics?: { dataType: string; unit?: string };
}

export type ParameterEntry = Extract<UplinkEvent, { kind: 'parameters' }>['entries'][number];

/** A reported value of a variable. */
export interface ReportedVariable {
  component: Component;
  variable: Variable;
  value: string;
  /** DataEnumType, when the device reports it */
  dataType?: string | undefined;
  unit?: string | undefined;
}

/** The Actual attribute of a variable in a report; null when it has none, or when the name is too long. */
export function parameterOf(data: ReportData): ParameterEntry | null {
  const key = variableKey(data.component, data.variable);
  const actual = data.variableAttribute.find(({ type = 'Actual' }) => type === 'Actual');
  if (!actual || key.length > KEY_CHARACTERS) return null;
  return { key, value: actual.value ?? null, readonly: actual.mutability === 'ReadOnly' };
}

/** The read-only values of a report: they are data of the device, and are also stored as parameters. */
export function reportedVariables(report: readonly ReportData[]): ReportedVariable[] {
  return report.flatMap(({ component, variable, variableAttribute, variableCharacteristics }) => {
    const actual = variableAttribute.find(({ type = 'Actual' }) => type === 'Actual');
    if (actual?.mutability !== 'ReadOnly' || actual.value === undefined) return [];
    const { dataType, unit } = variableCharacteristics ?? {};
    return [{ component, variable, value: actual.value, dataType, unit }];
  });
}

/** The maximum number of values in one reading. */
const MOST_VALUES = 200;

/**
 * Reported variables as readings (numbers, and booleans as 0 and 1) and as texts, by connector, with keys that are the
 * same for all EVSEs. Values with an implausible time or unit are refused.
 */
export function valueEvents(
  reported: readonly ReportedVariable[],
  time: string,
  receivedAt: Date,
  placeOf: PlaceOf,
): { events: UplinkEvent[]; refused: string[] } {
  if (reported.length === 0) return { events: [], refused: [] };
  const known = readingTime(reportedTime(time), receivedAt);
  if (known.at === null) {
    return { events: [], refused: [`the time ${time.slice(0, 40)} of values ${known.problem}; they are left out`] };
  }
  const { at } = known;
  const refused = new BoundedNotes();
  const numbers = new Map<number, Map<string, { unit: string; value: number }>>();
  const texts = new Map<number, Map<string, string>>();
  for (const { component, variable, value, dataType, unit } of reported) {
    const connector = component.evse === undefined ? 0 : placeOf(component.evse);
    if (connector === null || isSecretParameter(variableKey(component, variable))) continue;
    const key = quantityKey(component, variable);
    const number = WORDS.has(dataType ?? '') ? null : numberOf(value);
    if (number === null) within(texts, connector).set(key, value);
    else if (unitProblem(key, unit) !== null) refused.add(`${unitProblem(key, unit)}; left out`);
    else within(numbers, connector).set(key, { unit: unit ?? '', value: number });
  }
  const events: UplinkEvent[] = [];
  for (const [connector, values] of numbers) {
    const all = [...values].map(([key, value]) => ({ key, counter: false, ...value }));
    for (let from = 0; from < all.length; from += MOST_VALUES) {
      const some = all.slice(from, from + MOST_VALUES);
      events.push({ kind: 'reading', connector, at, receivedAt, transactionId: null, values: some });
    }
  }
  for (const [connector, values] of texts) {
    events.push({
      kind: 'texts',
      connector,
      at,
      receivedAt,
      values: [...values].map(([key, value]) => ({ key, value })),
    });
  }
  return { events, refused: refused.list };
}

/** Data types that are text, whatever their values look like (a serial number is not a number). */
const WORDS: ReadonlySet<string> = new Set(['string', 'dateTime', 'OptionList', 'SequenceList', 'MemberList']);

function numberOf(value: string): number | null {
  if (value === 'true') return 1;
  return value === 'false' ? 0 : toNumber(value);
}

function within<V>(all: Map<number, Map<string, V>>, connector: number): Map<string, V> {
  const known = all.get(connector) ?? new Map<string, V>();
  all.set(connector, known);
  return known;
}
