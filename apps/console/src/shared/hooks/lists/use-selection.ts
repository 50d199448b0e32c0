import { SELECTION_LIMIT } from '@chargehand/contract/constants';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { external } from '../../lib/external.ts';
import { afterChoice, type Chosen, type Named, NOTHING_CHOSEN, renewed } from '../../lib/lists/chosen.ts';
import { toast } from '../../ui/dialogs/toast.ts';

/** Reads all rows that match the filters of a list. */
export type ReadMatching = () => Promise<{ items: readonly Named[] }>;

/**
 * The selected rows of all pages, by id and with their names. Stored outside React: selecting a hundred rows renders a
 * hundred checkboxes, not the table. Components read it with `useChosen`.
 */
export interface Selection {
  readonly names: ReadonlyMap<number, string>;
  /** all rows of a filter are selected, except those deselected since */
  readonly whole: boolean;
  /** rows that joined or left the filter since they were selected, after `renew` */
  readonly changes: Chosen['changes'];
  subscribe(listener: () => void): () => void;
  /** Selects or deselects rows. Shows a message when the limit of a selection is exceeded. */
  choose(rows: readonly Named[], chosen: boolean): void;
  /** Selects all rows that match a filter, instead of the selected ones. */
  chooseAll(read: ReadMatching): Promise<void>;
  /** Before an action: reads the rows of the filter again, if all of them are selected. */
  renew(): Promise<void>;
  /** Keeps only these rows; an empty list clears the selection. */
  keep(ids: readonly number[]): void;
}

/** The selection of a list. It lasts while the list is shown. */
export function useSelection(): Selection {
  const { t } = useTranslation();
  const [store] = useState(() => external<Chosen & { read: ReadMatching | null }>({ ...NOTHING_CHOSEN, read: null }));
  return useMemo(
    () => ({
      get names() {
        return store.get().names;
      },
      get whole() {
        return store.get().read !== null;
      },
      get changes() {
        return store.get().changes;
      },
      subscribe: store.subscribe,
      choose(rows, chosen) {
        const now = store.get();
        const next = afterChoice(now, rows, chosen);
        if (next.names.size > SELECTION_LIMIT) toast.error(t('list.tooMany', { count: SELECTION_LIMIT }));
        else store.set({ ...next, read: next.names.size === 0 ? null : now.read });
      },
      async chooseAll(read) {
        const { items } = await read();
        store.set({ ...renewed(NOTHING_CHOSEN, items), changes: null, read });
      },
      async renew() {
        const { read } = store.get();
        if (!read) return;
        const { items } = await read();
        store.set({ ...renewed(store.get(), items), read });
      },
      keep(ids) {
        const kept = new Set(ids);
        const names = new Map([...store.get().names].filter(([id]) => kept.has(id)));
        store.set({ ...NOTHING_CHOSEN, names, read: null });
      },
    }),
    [store, t],
  );
}

/** A value derived from the selection, in a component that renders again when it changes. */
export function useChosen<T>(selection: Selection, read: (names: ReadonlyMap<number, string>) => T): T {
  return useSyncExternalStore(selection.subscribe, () => read(selection.names));
}
