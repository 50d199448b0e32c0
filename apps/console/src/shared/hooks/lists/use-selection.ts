import { BULK_LIMIT } from '@chargehand/contract/constants';
import { useMemo, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { external } from '../../lib/external.ts';
import { toast } from '../../ui/dialogs/toast.ts';

/** A row that can be selected, with its name. */
interface Named {
  id: number;
  name: string;
}

/**
 * The selected rows of all pages, by id and with their names. Stored outside React: selecting a hundred rows renders a
 * hundred checkboxes, not the table. Components read it with `useChosen`.
 */
export interface Selection {
  readonly names: ReadonlyMap<number, string>;
  subscribe(listener: () => void): () => void;
  /** Selects or deselects rows. Shows a message when the limit of a bulk change is exceeded. */
  choose(rows: readonly Named[], chosen: boolean): void;
  /** Keeps only these rows; an empty list clears the selection. */
  keep(ids: readonly number[]): void;
}

const NONE: ReadonlyMap<number, string> = new Map();

/** The selection of a list. It lasts while the list is shown. */
export function useSelection(): Selection {
  const { t } = useTranslation();
  const [store] = useState(() => external(NONE));
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

/** A value derived from the selection, in a component that renders again when it changes. */
export function useChosen<T>(selection: Selection, read: (names: ReadonlyMap<number, string>) => T): T {
  return useSyncExternalStore(selection.subscribe, () => read(selection.names));
}
