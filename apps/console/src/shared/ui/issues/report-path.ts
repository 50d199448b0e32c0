import type { IssueOrigin } from '../../hooks/use-open-issue.ts';
import { usePermitted } from '../../session/permitted.tsx';
import { useUser } from '../../session/use-user.ts';

/** May the user report issues? */
export function useReportsIssues(): boolean {
  const { user } = useUser();
  return usePermitted(['auth_issue_add']) && (user.root || !user.readOnly);
}

/** The form of a new issue about an alarm, a command or a device. */
export function reportIssuePath(of: IssueOrigin | { deviceId: number }, deviceId?: number): string {
  const values = { ...of, ...(deviceId !== undefined && { deviceId }) };
  return `/manage/issue/add?${new URLSearchParams(Object.entries(values).map(([name, id]) => [name, String(id)]))}`;
}
