import { usePermitted } from '../../../shared/session/permitted.tsx';
import { useUser } from '../../../shared/session/use-user.ts';

/** What the user may do with issues that they see. The server checks it, too. */
export function useIssueRights() {
  const { user } = useUser();
  const writes = user.root || !user.readOnly;
  const list = usePermitted(['auth_issue_list']);
  const read = usePermitted(['auth_issue_detail']);
  const add = usePermitted(['auth_issue_add']);
  const edit = usePermitted(['auth_issue_edit']);
  return { list, read, add: writes && add, edit: writes && edit };
}
