import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Log } from './platform/log.ts';

const SIMULATOR = join(import.meta.dirname, '../../simulator/src/cli.ts');

/** The SN prefix of demo devices; the fleet room registers them under it. */
export const DEMO_PREFIX = 'SIM';

/** The SN prefix of the demo's storage units, and how many there are: an eighth of the piles, at least one. */
export const DEMO_STORAGE_PREFIX = 'SIMESS';
export const demoStorageUnits = (devices: number) => Math.max(1, Math.floor(devices / 8));

/** Every so many-th demo device speaks OCPP 2.0.1; the fleet room gives those the model of such piles. */
export const DEMO_OCPP201_EVERY = 4;

/** A demo fleet that takes longer than this to say goodbye is cut off. */
const STOP_MS = 3_000;

/**
 * Runs the demo fleet: simulated charge points in a process of their own, which know nothing of the server but its
 * gateway's address. A simulator that ends by itself is reported and not started again: the demo is no part of the service.
 */
export function startDemoFleet(options: {
  url: string;
  devices: number;
  /** the broker of the storage units and their password, when there is a broker */
  storage: { url: string; password: string } | null;
  log: Log;
}): { stop(): Promise<void> } {
  const { storage } = options;
  const child: ChildProcess = spawn(
    process.execPath,
    [
      SIMULATOR,
      ...['--url', options.url, '--devices', String(options.devices), '--prefix', DEMO_PREFIX, '--seed', '7'],
      ...[
        '--heartbeat',
        '30',
        '--meter-interval',
        '10',
        '--session-every',
        '4',
        '--fault-every',
        '12',
        '--disconnect-every',
        '30',
      ],
      ...['--ocpp201', String(1 / DEMO_OCPP201_EVERY), '--slow-answers', '0.05:4000', '--quiet'],
      ...(storage ? ['--mqtt', storage.url, '--storage', String(demoStorageUnits(options.devices))] : []),
      ...['--storage-prefix', DEMO_STORAGE_PREFIX],
      // This machine's own certificate need not be one that a device would trust.
      ...(options.url.startsWith('wss:') ? ['--insecure'] : []),
    ],
    {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      detached: true,
      env: { ...process.env, NODE_NO_WARNINGS: '1', SIMULATOR_STORAGE_PASSWORD: storage?.password ?? '' },
    },
  );
  let stopping = false;
  child.once('exit', (code, signal) => {
    if (!stopping) options.log.warn({ code, signal }, 'the demo fleet ended');
  });
  child.once('error', (error) => options.log.warn({ err: error }, 'the demo fleet could not start'));
  return {
    async stop() {
      stopping = true;
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const delays = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(delays);
    },
  };
}
