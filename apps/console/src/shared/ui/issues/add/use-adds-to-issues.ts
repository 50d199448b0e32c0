import { usePermitted } from '../../../session/permitted.tsx';
import { useUser } from '../../../session/use-user.ts';

/** May the user choose an issue and comment on it? */
export function useAddsToIssues(): boolean {
  const { user } = useUser();
  const lists = usePermitted(['auth_issue_list']);
  const reads = usePermitted(['auth_issue_detail']);
  return lists && reads && (user.root || !user.readOnly);
}
