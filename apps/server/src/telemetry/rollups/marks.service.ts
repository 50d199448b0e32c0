import type { QueryOf, ResultOf, telemetryEndpoints } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { VisibleDevice } from '../../ports/devices/visible-device.ts';
import { rangeOf } from '../charts/chart-query.ts';
import { alarmMarks, commandMarks, restartMarks } from './marks.store.ts';

type List = typeof telemetryEndpoints.listMarks;

/** More marks than this cannot be distinguished on a time axis. */
const LIMIT = 200;

/** The events of a device over a range: its alarms, its restarts and its commands, without the details of the commands. */
export async function readMarks(
  db: Kysely<Database>,
  caller: Caller,
  device: VisibleDevice,
  query: QueryOf<List>,
): Promise<ResultOf<List>> {
  const { id } = device;
  const { from, to } = rangeOf(query);
  const range = { from: new Date(from), to: new Date(to) };
  const [alarms, commands, restarts] = await Promise.all([
    alarmMarks(caller.scope, db, id, range, LIMIT + 1),
    commandMarks(caller.scope, db, id, range, LIMIT + 1),
    restartMarks(caller.scope, db, id, range),
  ]);
  return {
    alarms: alarms.slice(0, LIMIT),
    commands: commands.slice(0, LIMIT),
    restarts,
    more: alarms.length > LIMIT || commands.length > LIMIT,
  };
}
