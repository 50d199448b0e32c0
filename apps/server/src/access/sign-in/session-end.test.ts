import { systemParameter } from '@chargehand/domain';
import { expect, test } from 'vitest';
import type { LiveRoom } from '../../live/index.ts';
import { localBus } from '../../platform/bus/local-bus.ts';
import { readConfig } from '../../platform/config/config.ts';
import { httpServer } from '../../platform/http/server.ts';
import { createLog } from '../../platform/log.ts';
import { mailer } from '../../platform/mail/mailer.ts';
import { sessionEnded } from '../../ports/sessions.ts';
import { ROW_FINDERS, ROW_PLACES } from '../../row-finders.ts';
import type { OpenParameters } from '../../system/index.ts';
import { openSession } from '../../testing/client.ts';
import { manualClock } from '../../testing/clock.ts';
import { createTestDatabase } from '../../testing/database/database.ts';
import { NO_PICTURES } from '../../testing/no-pictures.ts';
import { signIn } from '../../testing/sign-in.ts';
import { seedWorld, WORLD_PASSWORD } from '../../testing/world.ts';
import { access } from '../index.ts';

test('the end of a session is published with its code, so that its live streams close', async () => {
  const database = await createTestDatabase();
  const { db, pool } = database;
  const { users } = await seedWorld(db);
  const log = createLog('silent');
  const bus = localBus((error) => {
    throw error;
  });
  const config = readConfig({ CHARGEHAND_CAPTCHA: 'off', CHARGEHAND_SESSIONS_PER_USER: '1' });
  const clock = manualClock();
  const opened = await access.open({
    ...{ db, pool },
    bus,
    events: { publish: () => undefined, publishHere: () => undefined },
    pictures: NO_PICTURES,
    mailer: mailer({ db, pool, clock, log, smtp: undefined, publicUrl: () => 'http://localhost' }),
    config,
    parameters: {
      get: (key: Parameters<typeof systemParameter>[0]) => systemParameter(key).fallback,
    } as OpenParameters,
    clock,
    log,
    version: '0',
    rows: { finders: ROW_FINDERS, places: ROW_PLACES },
    live: () => ({ position: () => '' }) as LiveRoom,
  });
  const app = await httpServer({
    log,
    guard: opened.access.guard,
    enforcer: opened.enforcer,
    version: '0',
    https: null,
  });
  await opened.routes?.(app);
  await opened.start?.();
  const url = await app.listen({ port: 0, host: '127.0.0.1' });

  const received: Record<string, unknown> = {};
  const watch = async (name: string, userId: number) => {
    const { id, token } = await openSession(db, userId);
    bus.subscribe(sessionEnded(id), (message) => {
      received[name] = message;
    });
    return { id, token };
  };
  await watch('replaced', users.northAdmin);
  const signedOut = await watch('signed out', users.southAdmin);
  const expired = await watch('expired', users.vendorStaff);
  await watch('disabled', users.northDisabled);

  await signIn(url, 'north_admin', WORLD_PASSWORD);
  await fetch(`${url}/api/unauth/logout`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: `x-auth-token=${signedOut.token}` },
    body: '{}',
  });
  await pool.query(`update sessions set expires_at = now() - interval '1 ms' where id = $1`, [expired.id]);
  await clock.sweep();
  await expect
    .poll(() => received, { timeout: 30_000 })
    .toEqual({
      replaced: { code: 20003 },
      'signed out': { code: 20001 },
      expired: { code: 20002 },
      disabled: { code: 20004 },
    });

  await app.close();
  await opened.stop?.();
  await database.drop();
});
