import type { ListLook, ListName } from '@chargehand/contract';
import { call } from '../../api/client.ts';
import { PLAIN_LOOK } from '../../lib/lists/list-look.ts';
import { session } from '../../session/session.ts';
import { useUser } from '../../session/use-user.ts';

/** The user's settings of a list. They arrive with the session, so that the first render is correct. */
export function useListLook(list: ListName | undefined): ListLook {
  const { info } = useUser();
  return (list && info.lists[list]) ?? PLAIN_LOOK;
}

/** Saves the settings of a list, immediately here and for the user's other browsers; null resets them. */
export async function keepListLook(list: ListName, look: ListLook | null): Promise<void> {
  const known = session.get();
  if (known.status === 'signedIn') {
    const { [list]: _, ...others } = known.info.lists;
    const info = { ...known.info, lists: look === null ? others : { ...others, [list]: look } };
    session.set({ ...known, info });
  }
  await call('setPreference', { body: { list, look } });
}
