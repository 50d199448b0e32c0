import { type Static, Type } from 'typebox';
import { DENSITIES, LIST_NAMES } from './constants.ts';
import { Exact, Id, Words } from './schemas.ts';

/** How a user arranges a list: the order of its columns and the density of its rows. Columns that are not named keep their default place. */
export const ListLook = Exact({
  density: Words(DENSITIES),
  columns: Type.Array(
    Exact({ name: Type.String({ minLength: 1, maxLength: 40, pattern: '^[A-Za-z0-9]+$' }), shown: Type.Boolean() }),
    { maxItems: 40 },
  ),
});
export type ListLook = Static<typeof ListLook>;

/** What somebody arranged; a list that is not there looks as it comes. */
export const ListLooks = Exact(
  Object.fromEntries(LIST_NAMES.map((name) => [name, Type.Optional(ListLook)])) as Record<
    (typeof LIST_NAMES)[number],
    ReturnType<typeof Type.Optional<typeof ListLook>>
  >,
);

/** What became of each row of a change to many: code 0, or why not in the language of the caller. */
export const BulkAnswer = Exact({
  results: Type.Array(Exact({ id: Id, code: Type.Integer(), message: Type.String() })),
});
export type BulkAnswer = Static<typeof BulkAnswer>;
