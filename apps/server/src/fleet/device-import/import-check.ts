import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { mapInSlices } from '../../platform/work/slices.ts';
import { findModelsNamed, findNamesInUse, findSiteMatches, type SiteMatch } from './device-import.store.ts';
import type { ReadRow } from './import-rows.ts';

/** A row with its site, if that was found; `problems` lists what prevents the import. */
export interface CheckedRow extends ReadRow {
  siteId: number | null;
  customerId: number | null;
  modelId: number | null;
}

/** Checks the rows of a file against the database, with three queries for any number of rows. */
export async function checkRows(db: Kysely<Database>, caller: Caller, rows: readonly ReadRow[]): Promise<CheckedRow[]> {
  const placed = await withPlaces(db, caller, rows);
  const inUse = await findNamesInUse(
    caller.scope,
    db,
    placed.map(({ sn, name, customerId }) => ({ sn, name, customerId: customerId ?? 0 })),
  );
  const firstSn = new Map<string, number>();
  const firstName = new Map<string, number>();
  await mapInSlices(placed, (row, index) => {
    const { snKey, nameKey, snTaken, snInScope, nameTaken } = inUse[index]!;
    if (row.sn !== '') {
      const before = firstSn.get(snKey);
      if (snTaken) row.problems.push(new Problem(snInScope ? 'deviceSnExists' : 'deviceSnUnavailable'));
      else if (before !== undefined) row.problems.push(new Problem('importSnTwice', { values: { row: before } }));
      else firstSn.set(snKey, row.row);
    }
    if (row.name !== '' && row.customerId !== null) {
      const key = `${row.customerId} ${nameKey}`;
      const before = firstName.get(key);
      if (nameTaken) row.problems.push(new Problem('deviceNameExists'));
      else if (before !== undefined) row.problems.push(new Problem('importNameTwice', { values: { row: before } }));
      else firstName.set(key, row.row);
    }
  });
  return placed;
}

async function withPlaces(db: Kysely<Database>, caller: Caller, rows: readonly ReadRow[]): Promise<CheckedRow[]> {
  const pairs = distinct(rows, ({ site, customer }) => JSON.stringify([site, customer]));
  const names = distinct(rows, ({ model }) => model);
  const matches = new Map<number, SiteMatch[]>();
  for (const site of await findSiteMatches(caller.scope, db, pairs.values))
    matches.set(site.index, [...(matches.get(site.index) ?? []), site]);
  const models = await findModelsNamed(
    db,
    names.values.map(({ model }) => model),
  );
  return await mapInSlices(rows, (row, index) => {
    const problems = [...row.problems];
    const sites = matches.get(pairs.indexOf(index)) ?? [];
    // A code identifies a site. A name counts when no site has such a code.
    const found = sites.some(({ byCode }) => byCode) ? sites.filter(({ byCode }) => byCode) : sites;
    const [place] = found;
    if (row.site !== '') {
      if (!place) problems.push(new Problem('importSiteUnknown', { values: { site: row.site } }));
      else if (found.length > 1) problems.push(new Problem('importSiteAmbiguous', { values: { site: row.site } }));
    }
    const model = models[names.indexOf(index)];
    if (row.model !== '' && model?.id == null) problems.push(unknownModel(row.model, model?.near ?? null));
    const one = found.length === 1 ? place : undefined;
    return {
      ...row,
      problems,
      siteId: one?.siteId ?? null,
      customerId: one?.customerId ?? null,
      modelId: model?.id ?? null,
    };
  });
}

function unknownModel(model: string, near: string | null): Problem {
  if (near === null) return new Problem('importModelUnknown', { values: { model } });
  return new Problem('importModelNear', { values: { model, near } });
}

/** Every different value once, and for each row the index of its value. */
function distinct<T>(rows: readonly T[], keyOf: (row: T) => string): { values: T[]; indexOf(row: number): number } {
  const places = new Map<string, number>();
  const values: T[] = [];
  const indices = rows.map((row) => {
    const key = keyOf(row);
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, values.length);
    values.push(row);
    return values.length - 1;
  });
  return { values, indexOf: (row) => indices[row] ?? -1 };
}
