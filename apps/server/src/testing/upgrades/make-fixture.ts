// Stores what this version of the product writes, for the test of upgrades (docs/development/releases.md):
// node apps/server/src/testing/upgrades/make-fixture.ts
import { createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ENDPOINTS } from '@chargehand/contract';
import { createBackup } from '../../backup/create.ts';
import { embeddedSource } from '../../backup/object-source.ts';
import { runningDatabase } from '../../platform/database/embedded/embedded.ts';
import { type ZipPart, zipStream } from '../../platform/zip/zip-stream.ts';
import { client } from '../client.ts';
import { eventually } from '../eventually.ts';
import { startProgram } from '../program.ts';
import { signIn } from '../sign-in.ts';
import { ACCOUNT, addDocument, addFile, type Expected, readExpected } from './expected.ts';

const { version }: { version: string } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'),
);
const folder = await mkdtemp(join(tmpdir(), 'chargehand-fixture-'));
const data = join(folder, 'data');
const settings = {
  ...{ PORT: '19735', HOST: '127.0.0.1', DATABASE_URL: '', CHARGEHAND_DATA: data, CHARGEHAND_MQTT_PORT: '0' },
  ...{ CHARGEHAND_ADMIN_PASSWORD: ACCOUNT.password, CHARGEHAND_PROBE: 'off' },
};
try {
  // The history has alarms, readings and issues; devices that run for a while have frames.
  const demo = await startProgram({ ...settings, CHARGEHAND_DEMO: '1', CHARGEHAND_DEMO_DEVICES: '2' });
  try {
    const metrics = async () => await (await fetch(`${demo.url}/metrics`)).text();
    const has = [/ocpp_calls_total\{action="StatusNotification"\} [2-9]/, /mqtt_messages_total\{type="NDATA"\} [5-9]/];
    const options = { what: 'frames of both protocols', timeoutMs: 180_000 };
    await eventually(metrics, (text) => has.every((one) => one.test(text)), options);
  } finally {
    await demo.stop();
  }
  // Without devices, nothing changes between the answers and the backup.
  const program = await startProgram(settings);
  try {
    const { session, envelope } = await signIn(program.url, ACCOUNT.userName, ACCOUNT.password);
    const root = client(program.url, session);
    await root.data(ENDPOINTS.acceptPrivacy, {
      body: { version: envelope.data?.privacy.newPrivacyPolicyVersion ?? 1 },
    });
    const written = { document: await addDocument(root), file: await addFile(program.url, root) };
    const expected: Expected = await readExpected(root, { ...written, until: new Date().toISOString() });
    const { path } = await createBackup({
      ...{ url: (await runningDatabase(data)) ?? '', folder, version },
      objects: embeddedSource(data, { main: 'chargehand', firmware: 'chargehand-firmware' }),
    });
    const target = join(import.meta.dirname, `${version}.zip`);
    const archive = zipStream(filesOf(path, expected));
    await pipeline(Readable.from(archive, { objectMode: false }), createWriteStream(target));
    process.stdout.write(`${target}\n${JSON.stringify(expected, null, 2)}\n`);
  } finally {
    await program.stop();
  }
} finally {
  await rm(folder, { recursive: true });
}

async function* filesOf(path: string, expected: Expected): AsyncGenerator<ZipPart> {
  yield { path: 'expected.json', content: [JSON.stringify(expected)] };
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const file of files.sort())
    yield { path: `backup${file.slice(path.length)}`, content: [await readFile(file)], packed: true };
}
