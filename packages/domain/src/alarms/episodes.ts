/**
 * An alarm raised again within this time after it cleared continues the same episode: a loose contact is one fault, not
 * fifty.
 */
export const FLAP_WINDOW_MS = 5 * 60_000;

/**
 * The sources of an alarm, the most precise first: an alarm of the device itself, which the device also ends; its
 * connection; a rule on its readings; the status report of a connector, which repeats active alarms.
 */
export const ALARM_SOURCES = ['device', 'line', 'rule', 'status'] as const;
export type AlarmSource = (typeof ALARM_SOURCES)[number];

/** The fields of an episode that decide its next state. Times in milliseconds since the epoch. */
export interface Episode {
  raisedAt: number;
  /** time of its last report */
  lastAt: number;
  clearedAt: number | null;
  /** number of reports after the first */
  repeats: number;
  /** how often it was raised again within the flapping window */
  reopened: number;
  /** raised during maintenance or an update: shown, not counted */
  suppressed: boolean;
  acknowledged: boolean;
  /** the source that can end it: the most precise source since it was raised or raised again */
  source: AlarmSource;
}

/**
 * The episode of a (device, connector, code) after a report at a time. The report repeats an active episode, continues
 * one that cleared within the flapping window, or starts a new one (also for null: no episode yet). `begun` is true for
 * a new one. A continued episode keeps its acknowledgement, because somebody is already working on it. A repetition
 * during maintenance does not suppress an alarm that was counted; one that is raised again during maintenance is
 * suppressed. The most precise source that reports it becomes its source until it is raised again.
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
 * An episode after a source stopped reporting it or cleared it. Only its own source can end it. It never ends before
 * its last report.
 */
export function afterClear(episode: Episode, at: number, source: AlarmSource): Episode {
  return episode.clearedAt === null && episode.source === source
    ? { ...episode, clearedAt: Math.max(episode.lastAt, at) }
    : episode;
}

function morePrecise(one: AlarmSource, other: AlarmSource): AlarmSource {
  return ALARM_SOURCES.find((source) => source === one || source === other) ?? one;
}

/** An episode after the maintenance of its device ended: if still active, it counts from now on. */
export function afterMaintenance(episode: Episode): Episode {
  return episode.clearedAt === null ? { ...episode, suppressed: false } : episode;
}

/** An episode after its acknowledgement. It may have ended already. */
export function afterAcknowledgement(episode: Episode): Episode {
  return { ...episode, acknowledged: true };
}
