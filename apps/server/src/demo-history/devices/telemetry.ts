import { CompiledQuery, type Transaction } from 'kysely';
import { type Random, stoppedReasonOf } from '../../../../simulator/src/past/index.ts';
import { frameStatements } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { type Query, runEach } from '../../platform/database/statement.ts';
import type { FrameEvent, ReadingEvent } from '../../ports/uplink.ts';
import type { Item } from '../../ports/uplink-items.ts';
import { layOut, layouts, loadPastTransactions, readingStatements } from '../../telemetry/index.ts';
import type { DemoCharger, DemoStorage } from '../pasts.ts';
import { framesOf } from './frames.ts';
import { readingsOfSession, readingsOfStorage } from './readings.ts';

/** The protocol log of the last hours. */
const FRAMES_MS = 2 * 3_600_000;
/** Rows in one statement. */
const CHUNK = 2_000;

/** Stores the charging sessions, their readings, those of storage units, and the protocol log of the last hours. */
export async function loadTelemetry(
  trx: Transaction<Database>,
  { chargers, storage, until }: { chargers: readonly DemoCharger[]; storage: readonly DemoStorage[]; until: number },
  random: Random,
): Promise<{ sessions: number; readings: number }> {
  const client: Query = { query: ({ text, values }) => trx.executeQuery(CompiledQuery.raw(text, values)) as never };
  const sessions = chargers
    .flatMap((charger) => charger.past.sessions.map((session) => ({ charger, session })))
    .sort((one, other) => one.session.startedAt - other.session.startedAt);
  const ids = await loadPastTransactions(
    trx,
    sessions.map(({ charger: { device, past }, session }) => ({
      ...{ deviceId: device.id, connector: session.connector, idTag: session.idTag },
      ...{ startedAt: new Date(session.startedAt), stoppedAt: new Date(session.stoppedAt) },
      ...{ meterStart: session.meterStart, meterStop: session.meterStop },
      stopReason: past.protocol === '1.6' ? session.reason : stoppedReasonOf(session.reason),
      external: past.protocol === '1.6' ? null : { id: random.uuid(), lastSeq: session.samples.length },
    })),
  );
  const idOf = new Map(sessions.map(({ session }, index) => [session, ids[index] ?? 0]));
  const readings = sessions.flatMap(({ charger: { device, past }, session }) =>
    readingsOfSession(past, session, idOf.get(session) ?? 0).map((event) => itemOf(device.id, event)),
  );
  for (const { device, past } of storage) {
    for (const event of await readingsOfStorage(past)) readings.push(itemOf(device.id, event));
  }
  readings.sort((one, other) => one.event.at.getTime() - other.event.at.getTime());
  const known = layouts();
  for (const chunk of chunksOf(readings)) {
    const laidOut = chunk.map((item) => ({ ...layOut(item.event), item }));
    await runEach(client, readingStatements(await known.ensure(client, laidOut), laidOut));
  }
  const frames = chargers
    .filter(({ past, span }) => past.protocol === '1.6' && span.to === until)
    .flatMap(({ device, past }) => {
      const transactionIds = past.sessions.map((session) => idOf.get(session) ?? 0);
      const span = { from: until - FRAMES_MS, to: until };
      return framesOf(past, transactionIds, span, random).map((event) => itemOf(device.id, event));
    })
    .sort((one, other) => one.event.at.getTime() - other.event.at.getTime());
  for (const chunk of chunksOf(frames))
    await runEach(
      client,
      frameStatements(chunk, () => null),
    );
  return { sessions: sessions.length, readings: readings.length };
}

function itemOf<E extends ReadingEvent | FrameEvent>(deviceId: number, event: E): Item<E['kind']> & { event: E } {
  return { deviceId, event, submission: NONE } as unknown as Item<E['kind']> & { event: E };
}

/** These rows are not part of a submission of a gateway. */
const NONE = null;

function* chunksOf<T>(all: readonly T[]): Generator<T[]> {
  for (let start = 0; start < all.length; start += CHUNK) yield all.slice(start, start + CHUNK);
}
