import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/server.ts';

const DEPLOY = join(import.meta.dirname, '../../../../deploy');
const METRIC = /\b(?:chargehand|nodejs|process)_[a-z0-9_]+/g;

let server: TestServer;
let exported: Set<string>;
beforeAll(async () => {
  server = await startTestServer();
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  exported = new Set(
    [...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name!],
    ),
  );
});
afterAll(() => server.stop());

test.each(['prometheus/chargehand.rules.yml', 'prometheus/chargehand.rules.test.yml', 'grafana/chargehand.json'])(
  'the server exports all metrics in deploy/%s',
  async (file) => {
    const used = new Set((await readFile(join(DEPLOY, file), 'utf8')).match(METRIC));
    expect(used.size).toBeGreaterThan(9);
    expect([...used].filter((name) => !exported.has(name))).toEqual([]);
  },
);

test('the documentation lists all metrics of the product', async () => {
  const page = await readFile(join(DEPLOY, '../docs/operations.md'), 'utf8');
  const listed = new Set([...page.matchAll(/^\| `(chargehand_\w+)` \|/gm)].map(([, name]) => name));
  const own = [...exported].filter((name) => name.startsWith('chargehand_'));
  expect(own.map((name) => name.replace(/_(bucket|count|sum)$/, '')).filter((name) => !listed.has(name))).toEqual([]);
});
