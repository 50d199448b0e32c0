// `npm run bench [name ...] [-- options]`: runs the measurements one after another, each with its floor in the same run,
// and prints the ratios and the missed goals. Options such as `--full` are passed on. Takes about ten minutes on an
// otherwise idle machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The measurements, by name. */
const BENCHES: Record<string, { file: string; asks: string }> = {
  throughput: { file: 'gateway/throughput.ts', asks: 'messages per second that the gateway stores and answers' },
  connections: {
    file: 'gateway/connections.ts',
    asks: 'connecting and booting 5,000 charge points, and the cost of an idle connection',
  },
  'two-gateways': {
    file: 'gateway/two-gateways.ts',
    asks: 'two processes compared with one: CPU per message, and a command through the other process',
  },
  bursts: { file: 'gateway/bursts.ts', asks: 'simultaneous bursts' },
  list: { file: 'device-list/run.ts', asks: 'the device list with 100,000 devices' },
  lists: { file: 'lists/run.ts', asks: 'every list, and the cost of a scope of 500 assigned sites' },
  files: { file: 'files/run.ts', asks: 'uploading and downloading a file of 2 GB' },
  export: { file: 'export/run.ts', asks: '100,000 rows as a spreadsheet: memory and rows per second' },
  home: { file: 'home/run.ts', asks: 'the figures of Home with 100,000 devices' },
  documents: { file: 'documents/run.ts', asks: 'the search of documents: recall, precision and time' },
  reading: { file: 'reading/run.ts', asks: 'the time until a document of 200 screens is interactive' },
  ingest: { file: 'ingest/run.ts', asks: 'readings of a whole fleet, with alarms and rollups on' },
  storage: { file: 'storage/run.ts', asks: 'bytes per value on disk' },
  frames: { file: 'frames/run.ts', asks: 'the protocol log: bytes per frame, finding a frame, the cost of packing' },
  charts: { file: 'charts/run.ts', asks: 'a chart of one quantity over 30 days and over two years' },
  batch: {
    file: 'batch/run.ts',
    asks: 'commands to many devices at once, compared with the response time of the devices',
  },
  restart: { file: 'restart/run.ts', asks: 'a second start on the same data folder' },
  delivery: { file: 'delivery/run.ts', asks: 'a first visit on a slow mobile network' },
  console: {
    file: 'console/run.ts',
    asks: 'the pages of the console in a browser: shifts, tasks, first row, axe, keyboard, requests, a slow network',
  },
  live: { file: 'live/run.ts', asks: 'the cost of live updates of 500 active devices, and the age of displayed data' },
  messages: {
    file: 'messages/run.ts',
    asks: '10,000 alarms in a minute: mails, counts, and the queries of readers',
  },
  links: { file: 'links/run.ts', asks: 'terminals through links, next to a bare ssh, and idle links' },
  selection: { file: 'selection/run.ts', asks: 'selecting the 100 rows of a page' },
  tokens: {
    file: 'tokens/run.ts',
    asks: 'Authorize with 100,000 tokens, and heartbeats while 10,000 tokens reach 1,000 charge points',
  },
  'token-import': {
    file: 'tokens/import.ts',
    asks: 'an import of 100,000 tokens: memory, and how long the event loop is blocked',
  },
  command: { file: 'command-round-trip/run.ts', asks: 'the round trip of a command to a device' },
};

const given = process.argv.slice(2);
const firstOption = given.findIndex((one) => one.startsWith('--'));
const names = firstOption < 0 ? given : given.slice(0, firstOption);
const options = firstOption < 0 ? [] : given.slice(firstOption);
const unknown = names.find((name) => !(name in BENCHES));
if (unknown !== undefined) {
  console.error(`There is no measurement ${unknown}; there are ${Object.keys(BENCHES).join(', ')}.`);
  process.exit(1);
}

const summary: string[] = [];
for (const [name, { file, asks }] of Object.entries(BENCHES)) {
  if (names.length > 0 && !names.includes(name)) continue;
  console.log(`\n── ${name}: ${asks}`);
  const { output, code } = await run(file);
  const ratios = output.split('\n').filter((line) => /ratio|times/i.test(line));
  summary.push(`${name}: ${code === 0 ? 'reaches its goal' : 'MISSES ITS GOAL'}`, ...ratios.map((line) => `  ${line}`));
  if (code !== 0) process.exitCode = 1;
}
console.log(`\n── all together\n${summary.join('\n')}`);

/** Runs one measurement, prints its output, and returns it with the exit code. */
async function run(file: string): Promise<{ output: string; code: number }> {
  const child = spawn(process.execPath, ['--expose-gc', join(import.meta.dirname, file), ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text);
    output += text;
  });
  const [code] = await once(child, 'close');
  return { output, code: code ?? 1 };
}
