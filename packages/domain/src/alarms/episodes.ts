/** An alarm that comes back so soon after it was cleared is the same episode: a loose contact is one fault, not fifty. */
export const FLAP_WINDOW_MS = 5 * 60_000;

/**
 * Who says that an alarm goes on, the most precise first: the device by an alarm of its own, which it also ends itself;
 * its connection; a rule on its readings; the status report of a connector, which names what goes on again and again.
 */
export const ALARM_SOURCES = ['device', 'line', 'rule', 'status'] as const;
export type AlarmSource = (typeof ALARM_SOURCES)[number];

/** What of an episode decides what becomes of it; times in milliseconds since the epoch. */
export interface Episode {
  raisedAt: number;
  /** the last report of it */
  lastAt: number;
  clearedAt: number | null;
  /** reports after the first */
  repeats: number;
  /** how often it came back within the flap window */
  reopened: number;
  /** raised while people work on the device or it updates: shown, not counted */
  suppressed: boolean;
  acknowledged: boolean;
  /** whose word ends it: the most precise of those that named it since it began or came back */
  source: AlarmSource;
}

/**
 * The last episode of a (device, connector, code) after a report of it at a time: the active one is repeated, one that
 * was cleared within the flap window goes on, otherwise (null: there is none yet) a new one begins. `begun` tells which.
 * An acknowledgement stays with an episode that goes on: somebody has it in hand already. An alarm once counted is not
 * taken back by a repetition during maintenance; one that comes back then is. Of several who name it, the most precise
 * one is its source from then on, until it comes back.
 */
export function afterReport(
  last: Episode | null,
  report: { at: number; suppressed: boolean; source: AlarmSource },
): { episode: Episode; begun: boolean } {
  const { at, suppressed, source } = report;
  if (last === null || (last.clearedAt !== null && at - last.clearedAt > FLAP_WINDOW_MS)) {
    const counts = { repeats: 0, reopened: 0, acknowledged: false };
    return { episode: { raisedAt: at, lastAt: at, clearedAt: null, suppressed, source, ...counts }, begun: true };
  }
  const goesOn = { ...last, clearedAt: null, lastAt: Math.max(last.lastAt, at), repeats: last.repeats + 1 };
  const back = last.clearedAt !== null;
  return {
    episode: {
      ...goesOn,
      reopened: last.reopened + (back ? 1 : 0),
      suppressed: back ? suppressed : last.suppressed && suppressed,
      source: back ? source : morePrecise(last.source, source),
    },
    begun: false,
  };
}

/**
 * An episode after somebody no longer names it, or says that it is over; the word of another than its source changes
 * nothing. It never ends before it was last heard of.
 */
export function afterClear(episode: Episode, at: number, source: AlarmSource): Episode {
  return episode.clearedAt === null && episode.source === source
    ? { ...episode, clearedAt: Math.max(episode.lastAt, at) }
    : episode;
}

function morePrecise(one: AlarmSource, other: AlarmSource): AlarmSource {
  return ALARM_SOURCES.find((source) => source === one || source === other) ?? one;
}

/** An episode after the work on its device ended: what still goes on counts from now on. */
export function afterMaintenance(episode: Episode): Episode {
  return episode.clearedAt === null ? { ...episode, suppressed: false } : episode;
}

/** An episode that somebody took note of; it may be over already. */
export function afterAcknowledgement(episode: Episode): Episode {
  return { ...episode, acknowledged: true };
}
