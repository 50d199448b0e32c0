import { type Levels, mayDownloadUsers, mayEditUsers } from '@chargehand/domain';
import { usePermitted } from '../../shared/session/permitted.tsx';
import { useUser } from '../../shared/session/use-user.ts';

interface UserRights {
  add: boolean;
  edit: boolean;
  /** end the sessions of users */
  signOut: boolean;
  assign: boolean;
  export: boolean;
}

/** What the role of the user allows for users in a list. For a single one, the server returns it in `may`. */
export function useUserRights(): UserRights {
  const { user, info } = useUser();
  const levels = info.role.levels as Levels;
  const adds = usePermitted(['auth_user_add']);
  const edits = usePermitted(['auth_user_edit']);
  const signsOut = usePermitted(['auth_user_edit', 'auth_user_online']);
  const assigns = usePermitted(['auth_user_authData']);
  const writes = !user.readOnly && mayEditUsers(levels);
  return {
    add: writes && adds,
    edit: writes && edits,
    signOut: writes && signsOut,
    assign: writes && assigns,
    export: mayDownloadUsers(levels),
  };
}
