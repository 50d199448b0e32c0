import type { ListName, ListView } from '@chargehand/contract';
import { call } from '../../api/client.ts';
import { DEFAULT_VIEW } from '../../lib/lists/list-view.ts';
import { session } from '../../session/session.ts';
import { useUser } from '../../session/use-user.ts';

/** The user's settings of a list. They arrive with the session, so that the first render is correct. */
export function useListView(list: ListName | undefined): ListView {
  const { info } = useUser();
  return (list && info.lists[list]) ?? DEFAULT_VIEW;
}

/** Saves the settings of a list, immediately here and for the user's other browsers; null resets them. */
export async function setListView(list: ListName, view: ListView | null): Promise<void> {
  const known = session.get();
  if (known.status === 'signedIn') {
    const { [list]: _, ...others } = known.info.lists;
    const info = { ...known.info, lists: view === null ? others : { ...others, [list]: view } };
    session.set({ ...known, info });
  }
  await call('setPreference', { body: { list, view } });
}
