import { nextIssueReminder } from '@chargehand/domain';
import { Problem } from '../../platform/http/problem.ts';
import { ordered } from '../../platform/http/serve/revision.ts';
import type { IssueState } from './issue-state.ts';

/** The values of an issue that users edit, with times as text; the source of its revision. */
export function editedOf(issue: Omit<IssueState, 'statusBefore' | 'reminded'>): Record<string, unknown> {
  const { title, type, priority, body, assigneeId, labels } = issue;
  const times = { occurredAt: issue.occurredAt.toISOString(), dueAt: issue.dueAt?.toISOString() ?? null };
  return { title, type, priority, body, assigneeId, labels, ...times };
}

/** The values that change, before and after. */
export function changesOf(before: Record<string, unknown>, next: Record<string, unknown>) {
  const text = (value: unknown) => JSON.stringify(ordered(value));
  const names = Object.keys(next).filter((name) => text(before[name]) !== text(next[name]));
  const part = (values: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, values[name]]));
  return { before: part(before), after: part(next) };
}

/** The reminders of a due date that was set or came back. */
export function reminderValues(dueAt: Date | null, reminded: IssueState['reminded'] = null) {
  return { reminded, remind_at: nextIssueReminder(dueAt, reminded) };
}

/** @throws {Problem} fieldRequired */
export function requireTitle(entered: string): string {
  const title = entered.trim();
  if (title === '') throw new Problem('fieldRequired', { field: 'title' });
  return title;
}
