/** What the server deletes by its age, without a request of a user. The console has a name for each. */
export const DELETION_KINDS = [
  'frames',
  'frameBatches',
  'messageFaults',
  'readings',
  'readingBatches',
  'readings5m',
  'readings1h',
  'readings1d',
  'traffic',
  'statuses',
  'actionLog',
  'signInLog',
  'errorLog',
  'deviceLogs',
  'links',
  'trash',
  'drafts',
  'uploads',
  'orphanedFiles',
  'reporterContacts',
  'mails',
  'mailTexts',
  'messages',
  'messageMails',
  'messageSends',
  'webhookDeliveries',
  'tokens',
  'applicationEvents',
  'applicationSecrets',
  'applicationDays',
  'documentReads',
  'sessions',
  'systemFigures',
  'backups',
  'uploadedBackups',
] as const;
export type DeletionKind = (typeof DELETION_KINDS)[number];

/** The times that a deletion is decided by. */
export interface DeletionTimes {
  /** the clock of the server */
  server: Date;
  /** the clock of the database, read at the same moment */
  database: Date;
  /** when the newest fact was stored; null: nothing is stored yet */
  newestFact: Date | null;
}

/** The time that ages are counted from, or why nothing can be deleted. */
export type DeletionDecision =
  /** `behindDays`: whole days that the newest fact keeps the time behind the clocks; 0: none */
  | { at: Date; behindDays: number }
  /** the clocks of server and database differ by so many seconds */
  | { at: null; differSeconds: number };

const DAY_MS = 86_400_000;
/** With a larger difference, one of the clocks is wrong, and nobody knows which. */
const MOST_DIFFERENCE_MS = 60_000;
/**
 * Installations store facts every few seconds. If the clock is more than a day after the newest one, the server was off
 * for long, or the clock is wrong.
 */
const MOST_AFTER_FACT_MS = DAY_MS;
/** How long what can be restored is kept after it was taken out of use. */
const DETACHED_MS = DAY_MS;

/**
 * The time that the age of stored facts is counted from, for every deletion: the earliest of the server's clock, the
 * database's clock and a day after the newest stored fact. A clock that is wrong therefore deletes nothing early.
 */
export function decideDeletion({ server, database, newestFact }: DeletionTimes): DeletionDecision {
  const difference = Math.abs(server.getTime() - database.getTime());
  // Not `<=`: a clock that cannot be read is no number, and deletes nothing.
  if (!(difference <= MOST_DIFFERENCE_MS)) return { at: null, differSeconds: Math.round(difference / 1_000) };
  const clocks = Math.min(server.getTime(), database.getTime());
  const latest = newestFact === null ? clocks : Math.min(clocks, newestFact.getTime() + MOST_AFTER_FACT_MS);
  return { at: new Date(latest), behindDays: Math.floor((clocks - latest) / DAY_MS) };
}

/** The newest fact, as of the start of a process: what this process stored counts after it has run for a day. */
export function newestFactOf(run: { ms: number; atStart: Date | null; now: Date | null }): Date | null {
  // With a wrong clock, everything stored since the start has a wrong time, too. A day is time to notice.
  if (run.ms >= DAY_MS) return run.now;
  return run.atStart && new Date(run.atStart.getTime() + run.ms);
}

/** What happens to a detached partition: a day in which it can be attached again, as after a wrong clock. */
export function detachedPartition(
  partition: { until: Date; detachedAt: Date },
  { at, keptSince }: { at: Date; keptSince: Date },
): 'attach' | 'keep' | 'drop' {
  if (partition.until > keptSince) return 'attach';
  return at.getTime() - partition.detachedAt.getTime() >= DETACHED_MS ? 'drop' : 'keep';
}
