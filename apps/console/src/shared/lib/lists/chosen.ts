/** A row that can be selected, with its name. */
export interface Named {
  id: number;
  name: string;
}

/** Selected rows. If they are those of a filter, also how the user changed them. */
export interface Chosen {
  names: ReadonlyMap<number, string>;
  /** deselected since all rows of the filter were selected */
  except: ReadonlySet<number>;
  /** selected in addition to the rows of the filter */
  added: ReadonlyMap<number, string>;
  /** how many rows joined and left when the filter was read again; null when none did */
  changes: { joined: number; left: number } | null;
}

export const NOTHING_CHOSEN: Chosen = { names: new Map(), except: new Set(), added: new Map(), changes: null };

/** The selection after rows were selected or deselected. */
export function afterChoice(chosen: Chosen, rows: readonly Named[], selected: boolean): Chosen {
  const names = new Map(chosen.names);
  const except = new Set(chosen.except);
  const added = new Map(chosen.added);
  for (const { id, name } of rows) {
    if (!selected) {
      names.delete(id);
      if (!added.delete(id)) except.add(id);
    } else if (!names.has(id)) {
      names.set(id, name);
      if (!except.delete(id)) added.set(id, name);
    }
  }
  return { names, except, added, changes: null };
}

/** The selection with the rows that match its filter now. */
export function renewed(chosen: Chosen, matching: readonly Named[]): Chosen {
  const names = new Map(matching.filter(({ id }) => !chosen.except.has(id)).map(({ id, name }) => [id, name]));
  for (const [id, name] of chosen.added) names.set(id, name);
  const joined = [...names.keys()].filter((id) => !chosen.names.has(id)).length;
  const left = [...chosen.names.keys()].filter((id) => !names.has(id)).length;
  return { ...chosen, names, changes: joined + left > 0 ? { joined, left } : null };
}
