import { ENDPOINTS } from '@chargehand/contract';
import { afterAll, beforeAll } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { explanationMatrix } from '../../testing/contract/explanation-matrix.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { PEOPLE, type Person } from '../../testing/world.ts';

let server: TestServer;
const clients = {} as Record<Person, Client>;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  for (const person of PEOPLE) clients[person] = await server.as(person);
});
afterAll(() => server.stop());

explanationMatrix(Object.values(ENDPOINTS), PEOPLE, () => ({ server, clients }));
