import { BULK_LIMIT } from '@chargehand/contract/constants';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../ui/dialogs/toast.ts';

/** Rows that were chosen, on whatever page they stand, by their ids and with what each is called. */
export interface Selection {
  names: ReadonlyMap<number, string>;
  /** Chooses rows or lets go of them; more than one call may change are refused with a message. */
  choose(rows: readonly { id: number; name: string }[], chosen: boolean): void;
  /** Keeps these only; none lets go of all. */
  keep(ids: readonly number[]): void;
}

const NOBODY: ReadonlyMap<number, string> = new Map();

/** What is chosen in a list. It lasts as long as the list is on screen. */
export function useSelection(): Selection {
  const { t } = useTranslation();
  const [names, setNames] = useState(NOBODY);
  return {
    names,
    choose(rows, chosen) {
      const next = new Map(names);
      for (const { id, name } of rows) {
        if (chosen) next.set(id, name);
        else next.delete(id);
      }
      if (next.size > BULK_LIMIT) toast.error(t('list.tooMany', { count: BULK_LIMIT }));
      else setNames(next);
    },
    keep: (ids) => setNames(new Map([...names].filter(([id]) => ids.includes(id)))),
  };
}
