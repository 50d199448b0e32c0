import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../api/query.ts';
import { usePermitted } from '../session/permitted.tsx';

/** The alarm or the command that issues are about. */
export type IssueOrigin = { alarmId: number } | { executionId: string };

/** The newest open issue of an alarm or a command, as far as the user may list issues; null: none, or not known yet. */
export function useOpenIssue(of: IssueOrigin): { id: number; key: string; title: string } | null {
  const lists = usePermitted(['auth_issue_list']);
  const reads = usePermitted(['auth_issue_detail']);
  const issues = useQuery({
    ...queryOf('listIssues', { query: { page: 1, pageSize: 10, tab: 'open', ...of } }, { quiet: true }),
    enabled: lists && reads,
  });
  return issues.data?.items[0] ?? null;
}
