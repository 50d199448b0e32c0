import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { SERVER, SMALL_MEMORY } from '../../../../scripts/build/server-bundle.mjs';

/** The product as an operator starts it: a separate process. */
export interface Program {
  url: string;
  pid: number;
  /** Kills it like a power cut: it runs no further instruction. */
  kill(): Promise<void>;
  /** Stops it and waits until it has ended. */
  stop(): Promise<void>;
  /** its exit code once it has ended by itself */
  exitCode(): number | null;
  /** Sends a signal that does not end it. */
  signal(signal: NodeJS.Signals): void;
  /**
   * The longest time (ms of CPU) for which its event loop was blocked since the last call; for programs with a meter.
   */
  longestStall(): Promise<number>;
  /** The same, and the time that 99 of 100 turns of its event loop stayed below. */
  stalls(): Promise<{ longest: number; p99: number }>;
  /** Blocks its event loop for milliseconds; for programs with a meter. */
  block(ms: number): void;
  /** Its memory (bytes of RSS) now, and the maximum while `work` ran; Linux only. */
  memoryDuring(work: () => Promise<void>): Promise<{ before: number; peak: number }>;
  /** the end of its output */
  output(): string;
}

const MAIN = join(import.meta.dirname, '../main.ts');
const METER = join(import.meta.dirname, 'stalls/stall-meter.ts');
/** Where `npm start` makes Node store its compile cache (scripts/run.mjs). */
export const COMPILED = join(import.meta.dirname, '../../../../node_modules/.cache/node');
const READY_WITHIN_MS = 150_000;
/** Longer than the program's own timeout for stopping. */
const END_WITHIN_MS = 30_000;
/** Timeout of one readiness check. The program answers within two seconds, whatever the state of the database. */
const READY_TIMEOUT_MS = 3_000;

/**
 * Starts the program without shipped documents and waits until it is ready. `built`: as `npm start` runs it, otherwise from
 * its sources. Throws with its output when it ends instead.
 */
export async function startProgram(
  environment: Record<string, string> & { PORT: string },
  { meter = false, built = false } = {},
): Promise<Program> {
  const child = spawn(process.execPath, [...(meter ? ['--import', METER] : []), built ? SERVER : MAIN], {
    env: {
      ...{ ...process.env, NODE_COMPILE_CACHE: COMPILED, ...(built && SMALL_MEMORY) },
      ...{
        CHARGEHAND_DEMO: '0',
        CHARGEHAND_LOG: 'warn',
        CHARGEHAND_FTP_PORT: '0',
        CHARGEHAND_LINKS_PORT: '0',
        CHARGEHAND_READ_PARAMETERS: 'off',
        CHARGEHAND_SHIPPED_DOCUMENTS: 'off',
        ...environment,
      },
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-20_000);
    });
  }
  const url = `http://127.0.0.1:${environment.PORT}`;
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await isReady(url))) {
    if (hasEnded(child)) throw new Error(`the program ended before it was ready:\n${output}`);
    if (Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`the program was not ready within ${READY_WITHIN_MS} ms:\n${output}`);
    }
    await wait(25);
  }
  const end = async (signal: NodeJS.Signals) => {
    if (hasEnded(child)) throw new Error(`the program had ended by itself:\n${output}`);
    const ended = once(child, 'exit', { signal: AbortSignal.timeout(END_WITHIN_MS) });
    child.kill(signal);
    await ended.catch((cause) => {
      child.kill('SIGKILL');
      throw new Error(`the program had not ended ${END_WITHIN_MS} ms after ${signal}:\n${output}`, { cause });
    });
  };
  const stalls = async () => {
    const ready = once(child, 'message', { signal: AbortSignal.timeout(END_WITHIN_MS) });
    child.send('stalls');
    const [measured] = (await ready) as [{ longest: number; p99: number }];
    return measured;
  };
  const block = (ms: number) => void child.send(ms);
  const longestStall = async () => (await stalls()).longest;
  /** The maximum RSS since the last reset, in bytes, as counted by the kernel (proc(5): VmHWM, and 5 in clear_refs). */
  const highestMemory = async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024;
  };
  const memoryDuring = async (work: () => Promise<void>) => {
    await writeFile(`/proc/${child.pid}/clear_refs`, '5');
    const before = await highestMemory();
    await work();
    return { before, peak: await highestMemory() };
  };
  const [kill, stop] = [() => end('SIGKILL'), () => end('SIGTERM')];
  const signal = (name: NodeJS.Signals) => {
    child.kill(name);
  };
  const exitCode = () => child.exitCode;
  const pid = child.pid ?? 0;
  return { url, pid, kill, stop, signal, exitCode, longestStall, stalls, block, memoryDuring, output: () => output };
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** While it is starting, the port refuses connections or does not respond; both count as not ready. */
async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(READY_TIMEOUT_MS) }).catch(() => null);
  await response?.body?.cancel();
  return response?.ok ?? false;
}
