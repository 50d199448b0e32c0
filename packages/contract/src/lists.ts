import { type Static, Type } from 'typebox';
import { DENSITIES, LIST_NAMES } from './constants.ts';
import { Exact, FileId, Matching, Words } from './schemas.ts';

/**
 * A user's list settings: the order of the columns and the density of the rows. Columns that are not named keep their
 * default position.
 */
export const ListView = Exact({
  density: Words(DENSITIES),
  columns: Type.Array(
    Exact({ name: Matching('^[A-Za-z0-9]+$', 'name', { minLength: 1, maxLength: 40 }), shown: Type.Boolean() }),
    { maxItems: 40 },
  ),
});
export type ListView = Static<typeof ListView>;

/** The settings of the user's lists. A list without an entry uses the defaults. */
export const ListViews = Exact(
  Object.fromEntries(LIST_NAMES.map((name) => [name, Type.Optional(ListView)])) as Record<
    (typeof LIST_NAMES)[number],
    ReturnType<typeof Type.Optional<typeof ListView>>
  >,
);

/** All rows that match the filters of a list, for selecting them: their ids and names, by id. */
export const MatchingRows = Exact({ items: Type.Array(Exact({ id: FileId, name: Type.String() })) });
export type MatchingRows = Static<typeof MatchingRows>;

/** The result of each row of a bulk change: code 0, or an error in the language of the caller. */
export const BulkAnswer = Exact({
  results: Type.Array(Exact({ id: FileId, code: Type.Integer(), message: Type.String() })),
});
export type BulkAnswer = Static<typeof BulkAnswer>;
