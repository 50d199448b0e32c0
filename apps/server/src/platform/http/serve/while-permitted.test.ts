import { ENDPOINTS } from '@chargehand/contract';
import { levelsAll, type Scope } from '@chargehand/domain';
import { afterEach, expect, test } from 'vitest';
import { OPEN_ENFORCER } from '../../../testing/contract/open-enforcer.ts';
import { createLog } from '../../log.ts';
import type { Caller } from '../caller.ts';
import { Problem } from '../problem.ts';
import { httpServer } from '../server.ts';
import { serve } from './serve.ts';
import { whilePermitted, whileTrue } from './while-permitted.ts';

const CALLER: Caller = {
  ...{ userId: 1, userName: 'reader', customerId: 1, platformVendor: false, readOnly: false, root: false },
  ...{ viewer: null, sessionId: 'session', csrf: 'csrf', address: '127.0.0.1', locale: 'en-US' },
  keys: new Set(['auth_user_list']),
  remoteAccess: 0,
  levels: levelsAll(0),
  scope: { customers: [1, 2], sites: 'all' },
};

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** The guard's decision after the answer has started. */
type Later = (caller: Caller) => Caller;
const refused: Later = () => {
  throw new Problem('accountDisabled');
};

/** An answer in two parts. Before the second one something happens to its caller. */
async function answerOfTwoParts(later: Later): Promise<string> {
  let begun = false;
  const app = await httpServer({
    ...{ log: createLog('silent'), version: '0', https: null },
    enforcer: OPEN_ENFORCER,
    guard: async () => (begun ? later(CALLER) : CALLER),
  });
  stops.push(() => app.close());
  serve(app, ENDPOINTS.exportUsers, async ({ request, reply }) => {
    const parts = async function* () {
      yield 'one ';
      begun = true;
      yield 'two';
    };
    void reply.type('text/plain').send(whilePermitted(request, parts(), 0));
    return null;
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return await (await fetch(`${url}${ENDPOINTS.exportUsers.path}`)).text();
}

const scoped = (scope: Scope) => (caller: Caller) => ({ ...caller, scope });

test.each([
  ['its caller does not change', (caller: Caller) => ({ ...caller })],
  ['the order of the same permissions changes', scoped({ customers: [2, 1], sites: 'all' })],
])('an answer continues while %s', async (_, change) => {
  expect(await answerOfTwoParts(change)).toBe('one two');
});

test.each([
  ['is signed out', refused],
  ['sees less', scoped({ customers: [1], sites: 'all' })],
  ['gets another scope', scoped({ customers: [1, 3], sites: 'all' })],
  ['gets another level', (caller: Caller) => ({ ...caller, levels: levelsAll(5) })],
])('an answer is aborted when its caller %s', async (_, change) => {
  await expect(answerOfTwoParts(change)).rejects.toThrow();
});

test('an answer is aborted when its condition no longer holds', async () => {
  const parts = async function* () {
    yield 'one ';
    yield 'two ';
    yield 'three';
  };
  const left = [true, false];
  const read: string[] = [];
  const answer = whileTrue(async () => left.shift() ?? false, parts(), 0);
  await expect(
    (async () => {
      for await (const part of answer) read.push(String(part));
    })(),
  ).rejects.toThrow('have changed');
  expect(read).toEqual(['one ']);
});
