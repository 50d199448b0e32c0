import { type ExecutionRow, operationsEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, client, openSession } from '../testing/client.ts';
import type { TestDatabase } from '../testing/database/database.ts';
import { type Killable, killable } from '../testing/faults/killable.ts';
import { freePort } from '../testing/free-port.ts';
import { connectPile } from '../testing/gateways/pile.ts';
import { executionOnce, passDeadline, postponeDeadlines } from '../testing/operations-room.ts';
import type { Program } from '../testing/program.ts';
import type { World } from '../testing/world.ts';

const PORT = await freePort();
const hasEnded = (execution: ExecutionRow) => execution.state === 'ended';

let ground: Killable;
let database: TestDatabase;
let world: World;
let program: Program;
let admin: Client;

beforeAll(async () => {
  ground = await killable(PORT);
  ({ database, world } = ground);
  program = await ground.start();
  admin = client(program.url, await openSession(database.db, world.users.northAdmin));
});
afterAll(async () => {
  await ground.end();
});

test('a command whose server is killed before the answer gets its real result and is not sent again', async () => {
  const { northQuay1, northQuay2 } = world.devices;
  const [answers, stays] = [
    await connectPile({ port: PORT }, northQuay1.sn),
    await connectPile({ port: PORT }, northQuay2.sn),
  ];
  const send = (id: number, kind: 'disableSystem' | 'enableSystem') =>
    admin.data(operationsEndpoints.sendCommand, { params: { id }, body: { kind } });
  const answered = await send(northQuay1.id, 'disableSystem');
  const queued = await send(northQuay1.id, 'enableSystem');
  const silent = await send(northQuay2.id, 'disableSystem');
  const { id: messageId } = await answers.call(1);
  await stays.call(1);
  await postponeDeadlines({ database });

  await program.kill();
  program = await ground.start();

  const back = await connectPile({ port: PORT }, northQuay1.sn);
  back.answer(messageId, { status: 'Accepted' });
  expect(await executionOnce(admin, northQuay1.id, answered.id, hasEnded)).toMatchObject({ result: 2 });
  const next = await back.call(1);
  expect(next.id).toBe(queued.id);
  back.answer(next.id, { status: 'Rejected' });
  expect(await executionOnce(admin, northQuay1.id, queued.id, hasEnded)).toMatchObject({
    result: 3,
    reason: 'rejected',
  });
  expect(back.calls).toHaveLength(1);

  await passDeadline({ database }, silent.id);
  expect(await executionOnce(admin, northQuay2.id, silent.id, hasEnded)).toMatchObject({
    result: 4,
    reason: 'connectionLost',
  });
  await back.cut();
});
