import {
  countOf,
  EXECUTION_REASONS,
  EXECUTION_RESULTS,
  EXECUTION_STATES,
  type ExecutionResult,
  outcomeOf,
  TRANSFER_RESULTS,
} from '@chargehand/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

/** Every combination of the values that the SQL functions and the domain functions depend on. */
const CASES = EXECUTION_STATES.flatMap((state) =>
  (Object.keys(EXECUTION_RESULTS) as ExecutionResult[]).flatMap((result) =>
    [null, ...EXECUTION_REASONS].flatMap((reason) =>
      [null, ...TRANSFER_RESULTS].flatMap((file) =>
        [false, true].map((refused) => ({ state, result, reason, file, refused })),
      ),
    ),
  ),
);

test('execution_outcome and batch_count give the same results as outcomeOf and countOf', async () => {
  const { rows } = await database.pool.query<{ outcome: number; count: string }>(
    `select execution_outcome(state, result, reason, file) as outcome, batch_count(state, result, reason, refused, file) as count
       from rows from (unnest($1::text[]), unnest($2::smallint[]), unnest($3::text[]), unnest($4::text[]), unnest($5::boolean[]))
         with ordinality as c (state, result, reason, file, refused, place)
      order by place`,
    [
      CASES.map(({ state }) => state),
      CASES.map(({ result }) => EXECUTION_RESULTS[result]),
      CASES.map(({ reason }) => reason),
      CASES.map(({ file }) => file),
      CASES.map(({ refused }) => refused),
    ],
  );
  expect(CASES.map((one, place) => ({ ...one, ...rows[place] }))).toEqual(
    CASES.map((one) => ({
      ...one,
      outcome: EXECUTION_RESULTS[outcomeOf(one, one.file)],
      count: countOf(one, one.refused),
    })),
  );
});
