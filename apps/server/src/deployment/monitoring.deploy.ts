import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { requirePromtool } from '../../../../scripts/debian.mjs';

const DEPLOY = join(import.meta.dirname, '../../../../deploy');
const promtool = (...args: string[]) =>
  promisify(execFile)(requirePromtool(), args, { cwd: join(DEPLOY, 'prometheus') });

test('the alert rules are valid and fire as their tests expect', async () => {
  expect((await promtool('check', 'rules', 'chargehand.rules.yml')).stdout).toContain('SUCCESS');
  expect((await promtool('test', 'rules', 'chargehand.rules.test.yml')).stdout).toContain('SUCCESS');
});

test('Prometheus can read all queries of the Grafana dashboard', async () => {
  const { panels } = JSON.parse(await readFile(join(DEPLOY, 'grafana/chargehand.json'), 'utf8')) as {
    panels: { targets?: { expr: string }[] }[];
  };
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const rules = queries.map((query, n) => ({
    record: `query_${n}`,
    expr: query.replaceAll('$__rate_interval', '1m').replaceAll(/\$(job|instance)/g, '.*'),
  }));
  const folder = await mkdtemp(join(tmpdir(), 'chargehand-grafana-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // JSON is YAML.
  await writeFile(join(folder, 'rules.yml'), JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  const { stdout } = await promtool('check', 'rules', join(folder, 'rules.yml'));
  expect(stdout).toContain(`SUCCESS: ${queries.length} rules found`);
});
