import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../platform/config/config.ts';
import { openDataFolder } from '../platform/config/data-folder.ts';
import { checkStart } from '../platform/config/start-checks.ts';
import { startEmbeddedPostgres } from '../platform/database/embedded/embedded.ts';
import { createLog, type Log } from '../platform/log.ts';
import { reportReady } from '../platform/process/service-manager.ts';
import { onStopRequest, type StopStep } from '../platform/process/stop.ts';
import { isLoopback } from '../platform/tls/certificate.ts';
import { type ChildName, childArguments, READY } from './pass-devices.ts';

/** Delays before the first, second, ... restart of a process that ended by itself. Milliseconds. */
const RESTART_MS = [500, 2_000, 5_000, 10_000];
/** A process that ran this long counts as healthy, and the delays start again. Milliseconds. */
const HEALTHY_MS = 60_000;
/** Longer than a process takes to stop. Milliseconds. */
const STOP_MS = 12_000;

/**
 * Runs the product in two processes on this machine: the gateways, and the rest. This process has the lock of the data folder
 * and the embedded PostgreSQL. It starts both, starts one again that ends by itself, and stops both.
 * @throws with a sentence if the settings do not allow it, or a process does not start
 */
export async function startTwoProcesses(config: Config): Promise<void> {
  requirePossible(config);
  const log = createLog(config.logLevel);
  const undo: StopStep[] = [];
  const data = await openDataFolder(config.dataFolder);
  undo.push(() => data.close());
  try {
    await checkStart(config, data.path);
    let { databaseUrl } = config;
    if (databaseUrl === undefined) {
      const embedded = await startEmbeddedPostgres({ folder: data.path, log });
      undo.push(() => embedded.stop());
      databaseUrl = embedded.url;
    }
    const parts = environments(config, { folder: data.path, databaseUrl });
    let stopping = false;
    const running: Supervised[] = [];
    onStopRequest(
      async (reason) => {
        stopping = true;
        log.info({ reason }, 'stopping');
        await Promise.all(running.map((one) => one.stop()));
        for (const step of undo.reverse()) await step();
        process.exit(0);
      },
      () => {
        for (const one of running) one.child()?.kill('SIGHUP');
      },
    );
    // The first one migrates the database and opens the port.
    const api = await supervise('api', parts.api, { log, isStopping: () => stopping });
    running.push(api);
    undo.push(api.stop);
    const gateway = await supervise('gateway', parts.gateway, { log, isStopping: () => stopping });
    running.push(gateway);
    api.onHandshake((message, socket) => {
      const child = gateway.child();
      // The device connects again.
      if (child?.connected !== true) return void socket.destroy();
      child.send(message as object, socket, {}, (error) => {
        if (error) socket.destroy();
      });
    });
    void reportReady(log);
  } catch (error) {
    for (const step of undo.reverse()) await step();
    throw error;
  }
}

/** A connection with TLS cannot be given to another process. */
function requirePossible(config: Config): void {
  if (config.tls !== undefined || !isLoopback(config.host) || config.port === 0) {
    throw new Error(
      'CHARGEHAND_PROCESSES=2 needs a fixed PORT on a loopback address (HOST) without TLS: let a reverse proxy serve HTTPS, or run one process.',
    );
  }
}

/** The settings of both processes. The gateways use the files of the other one over the S3 protocol. */
function environments(
  { port, host, objects, nodeName }: Config,
  { folder, databaseUrl }: { folder: string; databaseUrl: string },
): { api: Record<string, string>; gateway: Record<string, string> } {
  const key = objects.key ?? { accessKeyId: 'gateway', secretAccessKey: randomBytes(24).toString('base64url') };
  const both = {
    ...{ CHARGEHAND_PROCESSES: '1', DATABASE_URL: databaseUrl, NOTIFY_SOCKET: '' },
    ...{ S3_ACCESS_KEY_ID: key.accessKeyId, S3_SECRET_ACCESS_KEY: key.secretAccessKey },
  };
  const name = (child: ChildName) => (nodeName === undefined ? '' : `${nodeName}-${child}`);
  const store: Record<string, string> = objects.service
    ? {}
    : { S3_ENDPOINT: `http://${host.includes(':') ? `[${host}]` : host}:${port}` };
  return {
    api: {
      ...both,
      ...{ CHARGEHAND_ROLES: 'api,jobs,links', CHARGEHAND_NODE: name('api'), CHARGEHAND_DATA: folder },
      ...{ CHARGEHAND_MQTT: 'off', CHARGEHAND_FTP_PORT: '0' },
    },
    gateway: {
      ...{ ...both, ...store, CHARGEHAND_ROLES: 'gateway', CHARGEHAND_NODE: name('gateway') },
      ...{ CHARGEHAND_DATA: join(folder, 'processes', 'gateway'), PORT: '0', HOST: host },
      // The other process has them.
      ...{ CHARGEHAND_LINKS_PORT: '0', CHARGEHAND_SMTP_PORT: '0' },
    },
  };
}

interface Supervised {
  /** undefined while it does not run */
  child(): ChildProcess | undefined;
  /** Called for each connection of a device that this process received. */
  onHandshake(listener: (message: unknown, socket: Socket) => void): void;
  stop(): Promise<void>;
}

/** Starts a process, waits until it is ready, and starts it again whenever it ends by itself. */
async function supervise(
  name: ChildName,
  environment: Record<string, string>,
  { log, isStopping }: { log: Log; isStopping(): boolean },
): Promise<Supervised> {
  let child: ChildProcess | undefined;
  let failures = 0;
  let stopped = false;
  let passOn: ((message: unknown, socket: Socket) => void) | undefined;

  /** Resolves when it is ready, or has ended before. */
  async function launch(): Promise<boolean> {
    const startedAt = performance.now();
    const started = spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...childArguments(name)], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child = started;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    started.on('message', (message, socket) => {
      if (message === READY) resolve(true);
      else if (socket) (passOn ?? drop)(message, socket as Socket);
    });
    started.once('exit', (code, signal) => {
      child = undefined;
      resolve(false);
      if (stopped || isStopping()) return;
      log.error({ process: name, code, signal }, 'a process ended unexpectedly');
      if (performance.now() - startedAt > HEALTHY_MS) failures = 0;
      void again();
    });
    return await promise;
  }

  async function again(): Promise<void> {
    if (!hasStarted) return;
    await wait(RESTART_MS[Math.min(failures++, RESTART_MS.length - 1)]);
    if (stopped || isStopping()) return;
    if (await launch()) log.info({ process: name }, 'it runs again');
  }

  let hasStarted = false;
  // It has written why.
  if (!(await launch())) throw new Error(`The process ${name} did not start.`);
  hasStarted = true;
  return {
    child: () => child,
    onHandshake(listener) {
      passOn = listener;
    },
    async stop() {
      stopped = true;
      const ending = child;
      if (!ending) return;
      const ended = once(ending, 'exit');
      ending.kill('SIGTERM');
      const late = setTimeout(() => ending.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

/** Before there are gateways. */
function drop(_message: unknown, socket: Socket): void {
  socket.destroy();
}
