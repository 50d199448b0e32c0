import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** How long Firefox may take to start, and a page to reach a state. Milliseconds. */
const TIMEOUT_MS = 60_000;
const POLL_MS = 200;

/** A message of WebDriver BiDi (W3C): the answer of a command, or an event. */
interface BidiMessage {
  id?: number;
  type: 'success' | 'error' | 'event';
  result?: Record<string, unknown>;
  message?: string;
  method?: string;
  params?: { level?: string; text?: string };
}

/** A page of Firefox. */
export interface FirefoxPage {
  /** Sends a command of WebDriver BiDi. @throws {Error} with the message of Firefox */
  send(method: string, params: object): Promise<Record<string, unknown>>;
  /** Opens an address, and waits until it is loaded. */
  open(url: string): Promise<void>;
  /** The value of an expression in the page; its type has to be text, a number or a boolean. */
  evaluate(expression: string): Promise<unknown>;
  /** Waits until an expression is true in the page. */
  until(expression: string): Promise<void>;
  /** what the page wrote to the console as an error so far */
  errors: string[];
  close(): Promise<void>;
}

/** Starts Firefox with a new profile and an empty page, which Playwright's Firefox, a changed one, does not replace. */
export async function startFirefox(program: string): Promise<FirefoxPage> {
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'));
  const firefox = spawn(program, ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: profile, MOZ_CRASHREPORTER_DISABLE: '1' },
  });
  const ended = new Promise<void>((resolve) => {
    firefox.once('exit', () => resolve());
  });
  async function stop() {
    firefox.kill('SIGKILL');
    await ended;
    rmSync(profile, { recursive: true, force: true });
  }
  try {
    const address = await Promise.race([
      addressOf(createInterface({ input: firefox.stderr })),
      ended.then(() => Promise.reject(new Error('Firefox ended before it listened'))),
    ]);
    return await connect(`${address}/session`, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function addressOf(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const [, address] = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error('Firefox printed no address of WebDriver BiDi');
}

async function connect(url: string, stop: () => Promise<void>): Promise<FirefoxPage> {
  const socket = new WebSocket(url);
  const waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>();
  const errors: string[] = [];
  let last = 0;
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error('Firefox refused the connection')));
  });
  socket.addEventListener('message', ({ data }) => {
    const { id, type, result, message, params } = JSON.parse(String(data)) as BidiMessage;
    if (type === 'event' && params?.level === 'error') errors.push(params.text ?? '');
    const request = id === undefined ? undefined : waiting.get(id);
    if (id === undefined || !request) return;
    waiting.delete(id);
    if (type === 'success') request.resolve(result ?? {});
    else request.reject(new Error(message));
  });
  function send(method: string, params: object): Promise<Record<string, unknown>> {
    last += 1;
    const request = Promise.withResolvers<Record<string, unknown>>();
    waiting.set(last, request);
    socket.send(JSON.stringify({ id: last, method, params }));
    return request.promise;
  }
  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded'] });
  const { contexts } = (await send('browsingContext.getTree', {})) as { contexts: { context: string }[] };
  const { context } = contexts[0]!;
  async function evaluate(expression: string): Promise<unknown> {
    const answer = await send('script.evaluate', { expression, target: { context }, awaitPromise: true });
    const { type, result, exceptionDetails } = answer as {
      type: string;
      result?: { value?: unknown };
      exceptionDetails?: { text: string };
    };
    if (type !== 'success') throw new Error(exceptionDetails?.text);
    return result?.value;
  }
  return {
    send,
    errors,
    evaluate,
    async open(address) {
      await send('browsingContext.navigate', { context, url: address, wait: 'complete' });
    },
    async until(expression) {
      const end = Date.now() + TIMEOUT_MS;
      while ((await evaluate(expression)) !== true) {
        if (Date.now() > end) throw new Error(`Not true in Firefox: ${expression}`);
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    },
    async close() {
      socket.close();
      await stop();
    },
  };
}
