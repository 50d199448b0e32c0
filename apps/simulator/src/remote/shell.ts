import { StringDecoder } from 'node:string_decoder';
import type { ServerChannel } from 'ssh2';
import { commandsOf, type Run } from './commands.ts';
import type { RemoteDevice } from './device.ts';
import type { Disk } from './disk.ts';

const MAX_LINE = 1_000;
const MAX_HISTORY = 50;
/** Characters with two columns: CJK and its punctuation, Hangul, full-width forms. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]/u;

/** The shell of a simulated device: a line editor and some commands. */
export class Shell {
  readonly #channel: ServerChannel;
  readonly #terminal: boolean;
  readonly #commands: ReturnType<typeof commandsOf>;
  readonly #sn: string;
  #folder = '/home';
  #line: string[] = [];
  #history: string[] = [];
  #recalled = 0;
  /** interrupts the running command */
  #running: AbortController | null = null;
  /** input that arrived while a command was running */
  #later = '';

  /** @param terminal whether the other side has a terminal, which needs echo and CR LF */
  constructor(channel: ServerChannel, parts: { device: RemoteDevice; disk: Disk; terminal: boolean }) {
    this.#channel = channel;
    this.#terminal = parts.terminal;
    this.#commands = commandsOf(parts.device, parts.disk);
    this.#sn = parts.device.sn;
    channel.on('close', () => this.#running?.abort());
    channel.on('error', () => this.#running?.abort());
  }

  /** Reads and executes lines until the user leaves. */
  interact(): void {
    const decoder = new StringDecoder('utf8');
    this.#print(`Simulated device ${this.#sn}. "help" lists the commands.\n`);
    this.#prompt();
    this.#channel.on('data', (data: Buffer) => this.#type(decoder.write(data)));
    this.#channel.on('end', () => {
      if (!this.#running) this.#end(0);
    });
  }

  /** Executes one line and ends. */
  async execute(line: string): Promise<void> {
    this.#channel.on('data', (data: Buffer) => {
      if (data.includes(3)) this.#running?.abort();
    });
    await this.#execute(line);
    this.#end(0);
  }

  #type(text: string): void {
    if (this.#running) {
      if (!text.includes('\x03')) {
        this.#later = (this.#later + text).slice(-MAX_LINE);
        return;
      }
      this.#later = '';
      this.#print('^C\n');
      this.#running.abort();
      return;
    }
    // Cursor up and down recall lines; other sequences have no effect.
    for (const key of keysOf(text)) {
      if (this.#running) this.#later += key;
      else this.#press(key);
    }
  }

  #press(key: string): void {
    switch (key) {
      case '\r':
      case '\n':
        this.#print('\n');
        void this.#enter(this.#line.join(''));
        break;
      case '\x7f':
      case '\b': {
        const removed = this.#line.pop();
        if (removed) this.#echo(WIDE.test(removed) ? '\b\b  \b\b' : '\b \b');
        break;
      }
      case '\x03':
        this.#line = [];
        this.#print('^C\n');
        this.#prompt();
        break;
      case '\x04':
        if (this.#line.length === 0) this.#end(0);
        break;
      case '\x15':
        this.#replace('');
        break;
      case '\x1b[A':
      case '\x1b[B':
        this.#recalled = Math.max(0, Math.min(this.#history.length, this.#recalled + (key === '\x1b[A' ? 1 : -1)));
        this.#replace(this.#history.at(-this.#recalled || this.#history.length) ?? '');
        break;
      default:
        if (key >= ' ' && !key.startsWith('\x1b') && this.#line.length < MAX_LINE) {
          this.#line.push(key);
          this.#echo(key);
        }
    }
  }

  #replace(text: string): void {
    this.#line = [...text];
    if (this.#terminal) this.#channel.write(`\r\x1b[K${this.#promptText()}${text}`);
  }

  async #enter(line: string): Promise<void> {
    this.#line = [];
    this.#recalled = 0;
    if (line.trim() !== '') this.#history = [...this.#history, line].slice(-MAX_HISTORY);
    if (await this.#execute(line)) return this.#end(0);
    this.#prompt();
    const later = this.#later;
    this.#later = '';
    if (later !== '') this.#type(later);
  }

  /** @returns whether the shell ends */
  async #execute(line: string): Promise<boolean> {
    const [name = '', ...words] = line.trim().split(/\s+/);
    if (name === '') return false;
    const command = Object.hasOwn(this.#commands, name) ? this.#commands[name] : undefined;
    if (!command) {
      this.#print(`${name}: command not found\n`);
      return false;
    }
    const running = new AbortController();
    this.#running = running;
    const next = await command(words, this.#run(running.signal));
    this.#running = null;
    this.#folder = next?.folder ?? this.#folder;
    return next?.end ?? false;
  }

  #run(signal: AbortSignal): Run {
    const pause = (ms: number) =>
      new Promise<void>((resolve) => {
        if (signal.aborted) return resolve();
        const over = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', over);
          resolve();
        };
        const timer = setTimeout(over, ms);
        signal.addEventListener('abort', over);
      });
    return {
      folder: this.#folder,
      interrupted: () => signal.aborted,
      pause,
      write: async (text) => {
        await new Promise<void>((resolve) => {
          const over = () => {
            signal.removeEventListener('abort', over);
            resolve();
          };
          signal.addEventListener('abort', over);
          // The channel itself would take 2 MB, all of which are shown before the effect of Ctrl-C.
          this.#print(text, over);
        });
        await pause(0);
      },
    };
  }

  #promptText(): string {
    return `demo@${this.#sn}:${this.#folder}$ `;
  }

  #prompt(): void {
    this.#print(this.#promptText());
  }

  #echo(text: string): void {
    if (this.#terminal) this.#channel.write(text);
  }

  #print(text: string, sent: () => void = () => undefined): void {
    if (this.#channel.writable) this.#channel.write(this.#terminal ? text.replaceAll('\n', '\r\n') : text, sent);
    else sent();
  }

  #end(code: number): void {
    if (!this.#channel.writable) return;
    this.#channel.exit(code);
    this.#channel.end();
  }
}

/** The key presses in a text: characters, and escape sequences such as those of cursor keys. */
function* keysOf(text: string): Generator<string> {
  let sequence = '';
  for (const character of text) {
    if (sequence === '' && character !== '\x1b') yield character;
    else {
      sequence += character;
      const isOpen = sequence.length === 1 || sequence === '\x1b[' || /[0-9;]/.test(character);
      if (isOpen) continue;
      yield sequence;
      sequence = '';
    }
  }
}
