/**
 * How the local authorization list of a device is kept equal to the tokens of its site (OCPP 1.6 §5.15, 2.0.1 D01).
 *
 * Every change of a token gets the next revision of its customer. A device has all changes up to a revision, so a
 * differential update is every change after it. Each message that a device accepts raises the version of its list by
 * one. A version that differs from ours means that the device lost its list or has the list of another system: then it
 * gets the full list.
 */

/** What a device supports. */
export interface ListCapability {
  /** entries of one SendLocalList (SendLocalListMaxLength, LocalAuthListCtrlr.ItemsPerMessage and BytesPerMessage) */
  perMessage: number;
  /** entries of the list (LocalAuthListMaxLength, LocalAuthListCtrlr.Entries); null: unknown */
  atMost: number | null;
}

/** Used until the device has reported its own limit: an entry has about 130 bytes, so a message has about 13 kB. */
export const ENTRIES_PER_MESSAGE = 100;
/** Even if the device accepts more: the limit of frames is 64 kB on many devices. */
export const MOST_ENTRIES_PER_MESSAGE = 400;

/** The most bytes of an entry in OCPP 2.x, whose value and group have 36 characters that need a backslash each. */
const ENTRY_BYTES = 330;
/** The most bytes of the rest of a SendLocalList. */
const HEAD_BYTES = 200;

const DISABLED = ['false', '0'];

/**
 * Reads the capability from the parameters that a device reported. `unsupported`: it has no local list; `off`: it has
 * one that is switched off.
 */
export function listCapability(parameters: ReadonlyMap<string, string | null>): ListCapability | 'unsupported' | 'off' {
  const read = (...keys: string[]) => {
    for (const key of keys) {
      const value = parameters.get(key.toLowerCase());
      if (value !== undefined && value !== null) return value.trim();
    }
    return null;
  };
  const profiles = read('SupportedFeatureProfiles');
  if (profiles !== null && !profiles.toLowerCase().includes('localauthlist')) return 'unsupported';
  if (DISABLED.includes(read('LocalAuthListCtrlr.Available')?.toLowerCase() ?? '')) return 'unsupported';
  const enabled = read('LocalAuthListEnabled', 'LocalAuthListCtrlr.Enabled');
  if (DISABLED.includes(enabled?.toLowerCase() ?? '')) return 'off';
  const perMessage = positive(read('SendLocalListMaxLength', 'LocalAuthListCtrlr.ItemsPerMessage'));
  const bytes = positive(read('LocalAuthListCtrlr.BytesPerMessage'));
  const fitting = bytes === null ? MOST_ENTRIES_PER_MESSAGE : Math.floor((bytes - HEAD_BYTES) / ENTRY_BYTES);
  return {
    perMessage: Math.min(perMessage ?? ENTRIES_PER_MESSAGE, Math.max(1, fitting), MOST_ENTRIES_PER_MESSAGE),
    atMost: positive(read('LocalAuthListMaxLength')),
  };
}

function positive(text: string | null): number | null {
  const number = text === null ? Number.NaN : Number(text);
  return Number.isInteger(number) && number > 0 ? number : null;
}

/** The parameters that `listCapability` reads, in lower case. */
export const LIST_PARAMETERS = [
  'supportedfeatureprofiles',
  'localauthlistenabled',
  'sendlocallistmaxlength',
  'localauthlistmaxlength',
  'localauthlistctrlr.available',
  'localauthlistctrlr.enabled',
  'localauthlistctrlr.itemspermessage',
  'localauthlistctrlr.bytespermessage',
] as const;

/** What is known about the list of one device. */
export interface KnownList {
  /** of the last message that it accepted, or that it reported; 0: none */
  version: number;
  /** it has all changes up to this one; null: unknown, so it needs the full list */
  revision: number | null;
  /** whose tokens it has: customer and site, or `empty` */
  place: string | null;
  /** a full list that is being sent: the revision at its start, and the last token that was sent */
  full: { revision: number; cursor: number } | null;
  /** the message without an answer yet: its version, and what the device then has */
  sent: { version: number; cursor: number; more: boolean; full: boolean } | null;
  /** its version must be read before anything is sent: after a boot, a lost answer or a mismatch */
  verify: boolean;
  /** failed messages in a row */
  failures: number;
}

export const NO_LIST: KnownList = {
  ...{ version: 0, revision: null, place: null, full: null, sent: null, verify: true, failures: 0 },
};

/** What the list of a device should be. */
export interface TargetList {
  place: string;
  /** the last change of the customer's tokens */
  revision: number;
  entries: number;
  /** changes after the revision that the device has */
  changes: number;
  /** changes up to this revision are not known one by one any more */
  forgotten: number;
}

export type ListStep =
  | { do: 'nothing' }
  | { do: 'read' }
  /** `after`: the last token that was sent, 0 for the first message; at most `limit` entries */
  | { do: 'full'; after: number; version: number; limit: number }
  | { do: 'differential'; after: number; version: number; limit: number };

/** The next message to a device; nothing when it has what is wanted, or while an answer is open. */
export function nextListStep(known: KnownList, wanted: TargetList, { perMessage, atMost }: ListCapability): ListStep {
  if (known.sent !== null && !known.verify) return { do: 'nothing' };
  if (known.verify) return { do: 'read' };
  const version = known.version + 1;
  const limit = perMessage;
  if (known.full !== null && known.place === wanted.place)
    return { do: 'full', after: known.full.cursor, version, limit };
  const isKnown = known.revision !== null && known.place === wanted.place && known.revision >= wanted.forgotten;
  if (!isKnown) return { do: 'full', after: 0, version, limit };
  if (wanted.changes === 0) return { do: 'nothing' };
  // A full list is smaller, or the device has only a part of the list.
  if (wanted.changes > wanted.entries || (atMost !== null && wanted.entries > atMost))
    return { do: 'full', after: 0, version, limit };
  return { do: 'differential', after: known.revision ?? 0, version, limit };
}

/** A message is about to be sent. `cursor`: the last token, or the last revision, in it; `more`: others follow. */
export function listSent(
  known: KnownList,
  step: Extract<ListStep, { version: number }>,
  { cursor, more }: { cursor: number; more: boolean },
  wanted: Pick<TargetList, 'place' | 'revision'>,
): KnownList {
  const full = step.do === 'full';
  const begins = full && step.after === 0;
  return {
    ...known,
    place: wanted.place,
    full: full ? (begins ? { revision: wanted.revision, cursor: 0 } : known.full) : null,
    // Until a full list is complete, the device has parts of two lists.
    revision: full ? null : known.revision,
    sent: { version: step.version, cursor, more, full },
  };
}

/** The answer to a message, or what is known instead. `lost`: none arrived, so it may have been executed. */
export type ListAnswer = 'accepted' | 'mismatch' | 'failed' | 'lost';

export function listAnswered(known: KnownList, answer: ListAnswer): KnownList {
  const { sent } = known;
  if (sent === null) return known;
  if (answer === 'lost') return { ...known, verify: true };
  if (answer === 'mismatch') return { ...known, ...FULL_AGAIN, verify: true, failures: known.failures + 1 };
  if (answer === 'failed') return { ...known, ...FULL_AGAIN, failures: known.failures + 1 };
  const { version, cursor, more, full } = sent;
  if (!full) return { ...known, version, revision: cursor, sent: null, failures: 0 };
  const run = known.full ?? { revision: 0, cursor: 0 };
  return more
    ? { ...known, version, full: { ...run, cursor }, sent: null, failures: 0 }
    : { ...known, version, full: null, revision: run.revision, sent: null, failures: 0 };
}

const FULL_AGAIN = { sent: null, full: null, revision: null };

/** The version that a device reported: the message without an answer was executed, or was not, or it is another list. */
export function listReported(known: KnownList, reported: number): KnownList {
  const { sent } = known;
  const read = { ...known, verify: false };
  if (sent !== null && reported === sent.version) return listAnswered(read, 'accepted');
  if (reported === known.version && reported > 0) return { ...read, sent: null };
  return { ...read, ...FULL_AGAIN, version: reported, place: known.place };
}

/** A device booted or was not compared for long: its list may be gone. */
export function listDoubted(known: KnownList): KnownList {
  return { ...known, verify: true };
}

/** How long to wait after failures (ms): 1, 5, 25 minutes, then two hours. */
export function listPause(failures: number): number {
  return failures === 0 ? 0 : Math.min(60_000 * 5 ** (failures - 1), 2 * 60 * 60_000);
}
