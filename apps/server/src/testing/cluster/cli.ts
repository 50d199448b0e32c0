// `npm run cluster`: two processes of each role on this machine, with PostgreSQL, HAProxy, Mosquitto, an S3 store, and NATS
// with `--nats`. It keeps nothing.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from './cluster.ts';

const PASSWORD = 'Cluster-2026!';

const folder = await mkdtemp(join(tmpdir(), 'chargehand-cluster-'));
process.stdout.write('Starting a cluster. This takes a minute ...\n');
const cluster = await startCluster({
  ...{ folder, nats: process.argv.includes('--nats') },
  settings: { CHARGEHAND_ADMIN_PASSWORD: PASSWORD, CHARGEHAND_SHIPPED_DOCUMENTS: 'on' },
});
process.stdout.write(
  [
    ...['', `  The cluster is ready at ${cluster.url}`, `  Sign in as administrator with the password ${PASSWORD}`],
    `  Simulated devices: npm run simulate -- --url ${cluster.deviceUrl} --devices 100`,
    ...['  Ctrl-C stops it.', '', ''],
  ].join('\n'),
);
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, async () => {
    if (stopping) return;
    stopping = true;
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
    process.exit(0);
  });
}
