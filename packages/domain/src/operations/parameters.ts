import { checkValue, parseRange, type ValueFault } from '../models/item-range.ts';
import { readsBack, sameItemValue, type ValueItem } from '../models/item-values.ts';
import { compareNaturally } from '../text/natural-order.ts';
import { isConnectionPassword, isSecretParameter } from '../text/secrets.ts';
import { type StoredParameter, sameParameterKey } from './commands.ts';

/** Why a parameter cannot be set. Each reason is a code of the contract. */
export type SettingFault =
  | 'parameterSecret'
  | 'parameterHoldsSecret'
  | 'parameterUnknown'
  | 'parameterReadonly'
  | 'sameValue'
  | ValueFault;

export type Setting =
  | { key: string; value: string; problem: null }
  | { key: string; value: null; problem: { fault: SettingFault; values: Record<string, string | number> } };

/** The definition of a key in a model: settable within a range, read-only, or not defined. */
export type DescribedKey = { kind: 'parameter'; item: ValueItem & { secret?: boolean } } | { kind: 'config' } | null;

/**
 * The key and value to send when a parameter is set: the key as the device spells it and the value in the form of its
 * item, or why it cannot be set. Until a device has reported parameters (`stored` is empty), only the device itself
 * knows which it has.
 */
export function settingOf(
  stored: readonly StoredParameter[],
  described: DescribedKey,
  key: string,
  value: string,
): Setting {
  const parameter = stored.find((entry) => sameParameterKey(entry.key, key));
  const spelled = parameter?.key ?? key;
  const refuse = (fault: SettingFault, values: Record<string, string | number> = {}): Setting => ({
    key: spelled,
    value: null,
    problem: { fault, values: { key: spelled, ...values } },
  });
  if (isConnectionPassword(key)) return refuse('parameterSecret');
  if (isSecretParameter(key) || (described?.kind === 'parameter' && described.item.secret))
    return refuse('parameterHoldsSecret');
  if (stored.length > 0 && !parameter) return refuse('parameterUnknown');
  if (described?.kind === 'config' || parameter?.readonly) return refuse('parameterReadonly');
  const range = described === null ? null : parseRange(described.item.type, described.item.range).range;
  const checked = range ? checkValue(range, value) : { value, problem: null };
  if (checked.problem) return refuse(checked.problem.fault, checked.problem.values);
  if (parameter && parameter.value !== null && sameItemValue(described?.item ?? null, parameter.value, checked.value)) {
    return refuse('sameValue');
  }
  return { key: spelled, value: checked.value, problem: null };
}

/** Whether a device has the value that was set, according to a read after setting. */
export const VERIFICATIONS = ['pending', 'same', 'other', 'afterRestart', 'unread'] as const;
export type Verification = (typeof VERIFICATIONS)[number];

/**
 * The result of reading a value back: the same value, another one, another one until the device restarts, or not
 * readable.
 * @param readBack null: the device did not report a value
 */
export function verificationOf(
  set: { value: string; needsRestart: boolean },
  reading: { state: 'waiting' | 'read' | 'failed'; readBack: string | null },
): Verification {
  if (reading.state === 'waiting') return 'pending';
  if (reading.state === 'failed' || reading.readBack === null) return 'unread';
  if (readsBack(set.value, reading.readBack)) return 'same';
  return set.needsRestart ? 'afterRestart' : 'other';
}

/** The difference between two sets of parameters in one key. */
export type Difference = 'same' | 'differs' | 'onlyHere' | 'onlyThere';

export interface ComparedParameter {
  /** as the first set spells it, if it has the key */
  key: string;
  here: string | null;
  there: string | null;
  difference: Difference;
}

/**
 * Compares two sets of parameters, sorted by key. A value that is not reported counts as missing; keys without a value
 * in both sets are left out.
 */
export function compareParameters(
  here: readonly { key: string; value: string | null }[],
  there: readonly { key: string; value: string | null }[],
  itemOf: (key: string) => ValueItem | null,
): ComparedParameter[] {
  const others = new Map(there.map((one) => [one.key.toLowerCase(), one]));
  const own = new Set(here.map(({ key }) => key.toLowerCase()));
  const rows = [
    ...here.map(({ key, value }) => ({ key, here: value, there: others.get(key.toLowerCase())?.value ?? null })),
    ...there
      .filter(({ key }) => !own.has(key.toLowerCase()))
      .map(({ key, value }) => ({ key, here: null, there: value })),
  ];
  return rows
    .filter((row) => row.here !== null || row.there !== null)
    .map((row) => ({ ...row, difference: differenceOf(row.here, row.there, itemOf(row.key)) }))
    .sort((one, other) => compareNaturally(one.key, other.key));
}

function differenceOf(here: string | null, there: string | null, item: ValueItem | null): Difference {
  if (there === null) return 'onlyHere';
  if (here === null) return 'onlyThere';
  return sameItemValue(item, here, there) ? 'same' : 'differs';
}

/**
 * Limits of automatic parameter reads. The parameters of a device take tens of kilobytes and dozens of rows. Few
 * devices are read at a time, so that a thousand booting devices are read within minutes and do not delay others.
 */
const MOST_AT_ONCE = 10;
/** New reads in one round; a round takes a second. */
const MOST_PER_ROUND = 5;
/** If storing reports takes longer than this (ms), reads wait, because charging messages have priority. */
const LATE_MS = 500;

/** Delay between the boot of a device and its read (ms). In this time it reports its connectors and sessions. */
export const READ_AFTER_BOOT_MS = 10_000;

/**
 * How many more devices may be read in a round.
 * @param inFlight reads without a response yet
 * @param delayMs how long the oldest report has been waiting to be stored
 */
export function readsToStart({ inFlight, delayMs }: { inFlight: number; delayMs: number }): number {
  if (delayMs > LATE_MS) return 0;
  return Math.min(MOST_PER_ROUND, Math.max(0, MOST_AT_ONCE - inFlight));
}
