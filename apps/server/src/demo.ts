import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { REGULAR_CARDS } from '../../simulator/src/behaviour/cards.ts';
import { hasSshClient } from '../../simulator/src/remote/links.ts';
import type { ResumedState } from '../../simulator/src/resume.ts';
import type { DemoFleet } from './demo-history/fleet.ts';
import { demoSn } from './fleet/index.ts';
import type { Log } from './platform/log.ts';

const SIMULATOR = join(import.meta.dirname, '../../simulator/src/cli.ts');

/** The cards of the drivers of the demo fleet. */
export const DEMO_CARDS = REGULAR_CARDS;

/** The SN prefix of demo devices, which the fleet module registers with it. */
export const DEMO_PREFIX = 'SIM';

/** The SN prefix of the demo's storage units, and their number: an eighth of the charge points, at least one. */
export const DEMO_STORAGE_PREFIX = 'SIMESS';
export const demoStorageUnits = (devices: number) => Math.max(1, Math.floor(devices / 8));

/** Every n-th demo device uses OCPP 2.0.1; the fleet module gives those the matching model. */
export const DEMO_OCPP201_EVERY = 4;

/** The devices of the demo fleet, in the order of the simulator. @param storage whether there are storage units */
export function demoFleet(devices: number, { storage }: { storage: boolean }): DemoFleet {
  return {
    chargers: Array.from({ length: devices }, (_, index) => ({
      sn: demoSn(DEMO_PREFIX, index + 1),
      protocol: (index + 1) % DEMO_OCPP201_EVERY === 0 ? '2.0.1' : '1.6',
    })),
    storage: Array.from({ length: storage ? demoStorageUnits(devices) : 0 }, (_, index) =>
      demoSn(DEMO_STORAGE_PREFIX, index + 1),
    ),
  };
}

/** A demo fleet that takes longer than this to disconnect is killed. */
const STOP_MS = 3_000;

/**
 * Runs the demo fleet: simulated charge points in a separate process, which know only the address of the gateway. A
 * simulator that ends unexpectedly is reported and not restarted, because the demo is not part of the service.
 */
export function startDemoFleet(options: {
  url: string;
  devices: number;
  /** the broker of the storage units and their password, if there is a broker */
  storage: { url: string; password: string } | null;
  /** the state in which it was stopped */
  resume: ResumedState;
  log: Log;
}): { stop(): Promise<void> } {
  const { storage } = options;
  if (!hasSshClient())
    options.log.warn('there is no ssh on this computer: install it to open terminals and web pages of demo devices');
  const child: ChildProcess = spawn(
    process.execPath,
    [
      SIMULATOR,
      ...['--url', options.url, '--devices', String(options.devices), '--prefix', DEMO_PREFIX, '--seed', '7'],
      ...[
        '--heartbeat',
        '60',
        '--meter-interval',
        '30',
        '--session-every',
        '20',
        '--fault-every',
        '240',
        '--disconnect-every',
        '480',
      ],
      ...['--ocpp201', String(1 / DEMO_OCPP201_EVERY), '--slow-answers', '0.05:4000', '--quiet', '--resume'],
      ...(storage ? ['--mqtt', storage.url, '--storage', String(demoStorageUnits(options.devices))] : []),
      ...['--storage-prefix', DEMO_STORAGE_PREFIX],
      // Devices need not trust this machine's own certificate.
      ...(options.url.startsWith('wss:') ? ['--insecure'] : []),
    ],
    {
      stdio: ['pipe', 'ignore', 'inherit', 'ipc'],
      detached: true,
      env: { ...process.env, NODE_NO_WARNINGS: '1', SIMULATOR_STORAGE_PASSWORD: storage?.password ?? '' },
    },
  );
  // A fleet that could not start is reported below.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(JSON.stringify(options.resume));
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
