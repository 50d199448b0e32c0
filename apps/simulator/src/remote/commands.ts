import { posix } from 'node:path';
import type { RemoteDevice } from './device.ts';
import { Disk } from './disk.ts';
import { longName } from './sftp.ts';

/** One run of a command: its output, and whether it was interrupted. */
export interface Run {
  folder: string;
  /** Writes text; resolves when it was sent. */
  write(text: string): Promise<void>;
  /** Resolves after a time, or at once when the command is interrupted. */
  pause(ms: number): Promise<void>;
  interrupted(): boolean;
}

/** What the shell does after a command. */
type Next = { folder?: string; end?: true } | undefined;
type Command = (words: string[], run: Run) => Promise<Next>;

const REFRESH_MS = 1_000;
/** `yes` writes at least so much at once, as fast as the other side reads. */
const YES_CHARACTERS = 32 * 1024;
export const LOG = '/var/log/charger.log';
const HELP = `Commands: cat cd clear date echo exit help id ls log pwd reboot status tail [-f] top uname uptime yes
Press Ctrl-C to stop a command.
`;

/** The commands of a simulated device. */
export function commandsOf(device: RemoteDevice, disk: Disk): Record<string, Command> {
  const startedAt = Date.now();
  const print =
    (text: (words: string[], run: Run) => string): Command =>
    async (words, run) => {
      await run.write(text(words, run));
      return undefined;
    };
  const status = () =>
    device
      .status()
      .map(([name, value]) => `${name.padEnd(24)}${value}\n`)
      .join('');
  const read = (path: string, folder: string): { text: string } | { fault: string } => {
    const entry = disk.get(Disk.resolve(folder, path));
    if (!entry) return { fault: `${path}: No such file or directory\n` };
    return entry.content === null ? { fault: `${path}: Is a directory\n` } : { text: String(entry.content) };
  };
  const tail: Command = async (words, run) => {
    const follow = words.includes('-f');
    const path = words.find((word) => !word.startsWith('-')) ?? LOG;
    const found = read(path, run.folder);
    if ('fault' in found) await run.write(`tail: ${found.fault}`);
    else await run.write(`${found.text.trimEnd().split('\n').slice(-10).join('\n')}\n`);
    while (follow && 'text' in found && !run.interrupted()) {
      await run.pause(REFRESH_MS);
      const facts = device.status().map(([name, value]) => `${name}=${value}`);
      if (!run.interrupted()) await run.write(`${new Date().toISOString()} info ${facts.join(' ')}\n`);
    }
    return undefined;
  };
  return {
    help: print(() => HELP),
    pwd: print((_, { folder }) => `${folder}\n`),
    echo: print((words) => `${words.join(' ')}\n`),
    date: print(() => `${new Date().toUTCString()}\n`),
    id: print(() => 'uid=1000(demo) gid=1000(demo) groups=1000(demo)\n'),
    whoami: print(() => 'demo\n'),
    hostname: print(() => `${device.sn}\n`),
    uptime: print(() => `up ${Math.floor((Date.now() - startedAt) / 1_000)} seconds\n`),
    uname: print((words) =>
      words.includes('-a') ? `Linux ${device.sn} 6.1.0-sim ${device.model} ${device.firmware()}\n` : 'Linux\n',
    ),
    clear: print(() => '\x1b[2J\x1b[H'),
    status: print(status),
    ls: print((words, { folder }) => {
      const path = words.find((word) => !word.startsWith('-')) ?? '.';
      const at = Disk.resolve(folder, path);
      const entry = disk.get(at);
      if (!entry) return `ls: ${path}: No such file or directory\n`;
      const names = disk.list(at) ?? [posix.basename(at)];
      if (!words.some((word) => /^-\w*l/.test(word))) return names.length > 0 ? `${names.join('  ')}\n` : '';
      return names.map((name) => `${longName(name, disk.get(Disk.resolve(at, name)) ?? entry)}\n`).join('');
    }),
    cat: print((words, { folder }) =>
      words
        .map((path) => read(path, folder))
        .map((found) => ('text' in found ? found.text : `cat: ${found.fault}`))
        .join(''),
    ),
    async cd(words, run) {
      const folder = Disk.resolve(run.folder, words[0] ?? '/home');
      if (disk.list(folder)) return { folder };
      await run.write(`cd: ${words[0]}: No such directory\n`);
      return undefined;
    },
    tail,
    log: (_, run) => tail(['-f'], run),
    async top(_, run) {
      while (!run.interrupted()) {
        await run.write(
          `\x1b[2J\x1b[H${device.sn}  ${new Date().toISOString()}\n\n${status()}\nCtrl-C ends this view.\n`,
        );
        await run.pause(REFRESH_MS);
      }
      return undefined;
    },
    async yes(words, run) {
      const line = `${words.join(' ') || 'y'}\n`;
      const text = line.repeat(Math.ceil(YES_CHARACTERS / line.length));
      while (!run.interrupted()) await run.write(text);
      return undefined;
    },
    async reboot(_, run) {
      await run.write('The system is going down for reboot now!\n');
      device.reboot();
      return { end: true };
    },
    exit: async () => ({ end: true }),
  };
}
