import type { AlarmLevel } from '../alarms/alarms.ts';

/** What an issue is about (spec §3). */
export const ISSUE_TYPES = { charging: 1, software: 2, hardware: 3, standalone: 4, other: 5 } as const;
export type IssueType = (typeof ISSUE_TYPES)[keyof typeof ISSUE_TYPES];
export const ISSUE_TYPE_NUMBERS = Object.values(ISSUE_TYPES);

/** How urgent an issue is (spec §3): 2 is the most urgent. They have the names of the alarm levels. */
export const ISSUE_PRIORITIES = { OA: 0, MA: 1, CA: 2 } as const satisfies Record<AlarmLevel, number>;
export type IssuePriority = (typeof ISSUE_PRIORITIES)[keyof typeof ISSUE_PRIORITIES];
export const ISSUE_PRIORITY_NUMBERS = Object.values(ISSUE_PRIORITIES);

/** The states of an issue (spec §4). `pending`: somebody works on it. `reopen`: it was closed too early. */
export const ISSUE_STATUSES = ['open', 'pending', 'closed', 'reopen'] as const;
export type IssueStatus = (typeof ISSUE_STATUSES)[number];

/** What users do to an issue (spec §4); `start` makes it pending. */
export const ISSUE_ACTIONS = ['start', 'comment', 'close', 'commentAndClose', 'reopen'] as const;
export type IssueAction = (typeof ISSUE_ACTIONS)[number];

const TRANSITIONS: Record<IssueStatus, Partial<Record<IssueAction, IssueStatus>>> = {
  open: { start: 'pending', comment: 'open', close: 'closed', commentAndClose: 'closed' },
  pending: { comment: 'pending', close: 'closed', commentAndClose: 'closed' },
  closed: { comment: 'closed', reopen: 'reopen' },
  reopen: { start: 'pending', comment: 'reopen', close: 'closed', commentAndClose: 'closed' },
};

/** The status of an issue after an action; null if the action is not possible in its status. */
export function issueStatusAfter(status: IssueStatus, action: IssueAction): IssueStatus | null {
  return TRANSITIONS[status][action] ?? null;
}

/** The relation of an issue to another one. `duplicate`: of the other one. `cause`: the other one caused it. */
export const ISSUE_LINKS = ['duplicate', 'cause'] as const;
export type IssueLink = (typeof ISSUE_LINKS)[number];

/** What was wrong, as shipped. Closing an issue asks for it. An installation can add others. */
export const ISSUE_CAUSES = [
  'hardware',
  'wear',
  'software',
  'configuration',
  'network',
  'power',
  'installation',
  'vehicle',
  'misuse',
  'damage',
  'noFault',
  'unknown',
  'other',
] as const;
export type IssueCauseWord = (typeof ISSUE_CAUSES)[number];
/** A code of the dictionary of causes. */
export type IssueCause = string;

/** What was done about it, as shipped. An installation can add others. */
export const ISSUE_REMEDIES = [
  'replaced',
  'repaired',
  'restarted',
  'updated',
  'reconfigured',
  'cleaned',
  'instructed',
  'recovered',
  'none',
  'other',
] as const;
export type IssueRemedyWord = (typeof ISSUE_REMEDIES)[number];
/** A code of the dictionary of remedies. */
export type IssueRemedy = string;

/** Maximum size of a request with the description of an issue or a comment in bytes: a timeline shows many at once. */
export const ISSUE_TEXT_BYTES = 128 * 1024;

/** Maximum number of labels of one issue, and their length. */
export const ISSUE_LABELS = 20;
export const ISSUE_LABEL_LENGTH = 40;

/** Maximum number of watchers that a new issue gets from its form. */
export const ISSUE_WATCHERS = 50;

/** Labels as they are stored: trimmed, each once regardless of case, in their order. */
export function issueLabels(entered: readonly string[]): string[] {
  const seen = new Set<string>();
  return entered
    .map((label) => label.normalize('NFKC').trim().replace(/\s+/g, ' '))
    .filter((label) => {
      const key = label.toLowerCase();
      if (label === '' || seen.has(key)) return false;
      seen.add(key);
      return true;
    });
}
