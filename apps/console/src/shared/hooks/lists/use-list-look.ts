import type { ListLook, ListName } from '@chargehand/contract';
import { call } from '../../api/client.ts';
import { PLAIN_LOOK } from '../../lib/lists/list-look.ts';
import { session } from '../../session/session.ts';
import { useUser } from '../../session/use-user.ts';

/** How the user arranged a list: it came with who they are, so that the list is right from the first moment. */
export function useListLook(list: ListName | undefined): ListLook {
  const { info } = useUser();
  return (list && info.lists[list]) ?? PLAIN_LOOK;
}

/** Keeps how a list is to look, at once on this screen and for the user's other browsers; null has it look as it comes. */
export async function keepListLook(list: ListName, look: ListLook | null): Promise<void> {
  const known = session.get();
  if (known.status === 'signedIn') {
    const { [list]: _, ...others } = known.info.lists;
    const info = { ...known.info, lists: look === null ? others : { ...others, [list]: look } };
    session.set({ ...known, info });
  }
  await call('setPreference', { body: { list, look } });
}
