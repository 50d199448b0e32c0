import type { QueryOf, ResultOf, telemetryEndpoints } from '@chargehand/contract';
import { hasImpossibleTimes, maskedToken, mayReadTokens } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { listOrder, pageOf } from '../../platform/http/serve/list-queries.ts';
import type { VisibleDevice } from '../../ports/devices/visible-device.ts';
import { listTransactions } from './transactions.store.ts';

type List = typeof telemetryEndpoints.listTransactions;

/** Charging sessions of a device a caller may see, newest first. */
export async function readTransactions(
  db: Kysely<Database>,
  caller: Caller,
  device: VisibleDevice,
  query: QueryOf<List>,
): Promise<ResultOf<List>> {
  const { descending } = listOrder(query.sort, '-startedAt');
  const { items, total } = await listTransactions(caller.scope, db, device.id, descending, pageOf(query));
  const reads = mayReadTokens(caller.levels);
  return {
    items: items.map(({ clockFault, ...row }) => ({
      ...row,
      idTag: reads ? row.idTag : maskedToken(row.idTag),
      impossibleTimes: hasImpossibleTimes({ ...row, clockFault }),
    })),
    total,
  };
}
