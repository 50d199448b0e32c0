/** Something that counts for the times of an issue. */
export interface IssueMoment {
  at: Date;
  kind: 'comment' | 'start' | 'close' | 'reopen';
  /** a comment of the person who reported the issue is no response */
  byReporter: boolean;
}

export interface IssueTimes {
  /** from the report to the first response; null while there is none */
  responseMs: number | null;
  /** from the report to the last close, without the time it was closed in between; null unless it is closed */
  resolutionMs: number | null;
}

/**
 * The response and resolution time of an issue, from its timeline in any order. The first start, close, or comment by
 * someone other than the reporter is the response. Waiting for parts or for a customer counts: the clock only stops
 * while the issue is closed.
 */
export function issueTimes(createdAt: Date, moments: readonly IssueMoment[]): IssueTimes {
  const ordered = moments
    .filter(({ at }) => at >= createdAt)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const first = ordered.find(({ kind, byReporter }) => kind !== 'reopen' && !(kind === 'comment' && byReporter));
  let running: Date | null = createdAt;
  let worked = 0;
  for (const { at, kind } of ordered) {
    if (kind === 'close' && running) {
      worked += at.getTime() - running.getTime();
      running = null;
    }
    if (kind === 'reopen') running ??= at;
  }
  return {
    responseMs: first ? first.at.getTime() - createdAt.getTime() : null,
    resolutionMs: running ? null : worked,
  };
}

const HOUR_MS = 3_600_000;

/** How long before it is due the assignee of an issue is reminded. */
const REMINDER_MS = 24 * HOUR_MS;

/** The reminders of an issue with a due date, in their order. */
export const ISSUE_REMINDERS = ['soon', 'overdue'] as const;
export type IssueReminder = (typeof ISSUE_REMINDERS)[number];

/** The reminder that an issue needs at a time, null if it needs none. `sent` is the last one that was sent. */
export function issueReminder(dueAt: Date | null, sent: IssueReminder | null, now: Date): IssueReminder | null {
  if (dueAt === null || sent === 'overdue') return null;
  if (now >= dueAt) return 'overdue';
  return sent === null && now.getTime() >= dueAt.getTime() - REMINDER_MS ? 'soon' : null;
}

/** When the next reminder of an issue is due; null after the last one, and without a due date. */
export function nextIssueReminder(dueAt: Date | null, sent: IssueReminder | null): Date | null {
  if (dueAt === null || sent === 'overdue') return null;
  return sent === 'soon' ? dueAt : new Date(dueAt.getTime() - REMINDER_MS);
}
