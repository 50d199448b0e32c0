import { BULK_LIMIT } from '@chargehand/contract/constants';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { external } from '../../lib/external.ts';
import { toast } from '../../ui/dialogs/toast.ts';

/** A row that can be chosen, and what it is called. */
interface Named {
  id: number;
  name: string;
}

/**
 * The rows that were chosen, on whatever page they are, by id and with what each is called. It lives outside React:
 * choosing a hundred rows draws a hundred boxes, not the table. Components read it with `useChosen`.
 */
export interface Selection {
  readonly names: ReadonlyMap<number, string>;
  subscribe(listener: () => void): () => void;
  /** Chooses rows or lets go of them; more than one call may change are refused with a message. */
  choose(rows: readonly Named[], chosen: boolean): void;
  /** Keeps these only; none lets go of all. */
  keep(ids: readonly number[]): void;
}

const NOBODY: ReadonlyMap<number, string> = new Map();

/** What is chosen in a list. It lasts as long as the list is on screen. */
export function useSelection(): Selection {
  const { t } = useTranslation();
  const [store] = useState(() => external(NOBODY));
  return useMemo(
    () => ({
      get names() {
        return store.get();
      },
      subscribe: store.subscribe,
      choose(rows, chosen) {
        const next = new Map(store.get());
        for (const { id, name } of rows) {
          if (chosen) next.set(id, name);
          else next.delete(id);
        }
        if (next.size > BULK_LIMIT) toast.error(t('list.tooMany', { count: BULK_LIMIT }));
        else store.set(next);
      },
      keep: (ids) => store.set(new Map([...store.get()].filter(([id]) => ids.includes(id)))),
    }),
    [store, t],
  );
}

/** Something about the selection, in a component that renders again when it changes. */
export function useChosen<T>(selection: Selection, read: (names: ReadonlyMap<number, string>) => T): T {
  return useSyncExternalStore(selection.subscribe, () => read(selection.names));
}
