#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { json } from 'node:stream/consumers';
import { type FleetOptions, type FleetSummary, prepareFleet } from './fleet.ts';
import { helpText, readCommandLine, UsageError } from './options.ts';
import { RecordingError, readRecording } from './replay/recording.ts';
import { replay } from './replay/replay.ts';
import type { ReplayOptions } from './replay/replayed-device.ts';
import type { ResumedState } from './resume.ts';
import { type StorageFleet, type StorageFleetOptions, startStorageFleet } from './storage/storage-fleet.ts';

const STATUS_EVERY_MS = 5_000;

await main(process.argv.slice(2));

async function main(args: string[]): Promise<void> {
  try {
    const commandLine = readCommandLine(args);
    if (commandLine.help) {
      process.stdout.write(helpText());
      return;
    }
    if (commandLine.replay !== null) {
      await runReplay(commandLine.replay, commandLine.options);
      return;
    }
    const { fleet, storage, quiet } = commandLine;
    const state = commandLine.resume ? ((await json(process.stdin)) as ResumedState) : null;
    await run({ ...fleet, resume: state?.stations }, storage && { ...storage, resume: state?.storage }, quiet);
  } catch (error) {
    if (error instanceof RecordingError) {
      process.stderr.write(`The file cannot be replayed.\n${error.message}\n`);
      process.exitCode = 2;
      return;
    }
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\nTry --help.\n`);
    process.exitCode = 2;
  }
}

/** Replays a file and prints the differences. The exit code is 1 if there are any. */
async function runReplay(file: string, options: ReplayOptions): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`--replay ${file}: cannot be read`);
  });
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const report: ReplayOptions['report'] = ({ line, sn, action, text: what }) =>
    process.stdout.write(`line ${line}  ${sn}  ${action ?? ''}  ${what}\n`);
  const { devices, sent, compared, differences } = await replay(
    readRecording(text),
    { ...options, report },
    stop.signal,
  );
  process.stdout.write(
    `devices ${devices}  sent ${sent}  responses compared ${compared}  differences ${differences.length}\n`,
  );
  if (differences.length > 0) process.exitCode = 1;
}

async function run(options: FleetOptions, storageOptions: StorageFleetOptions | null, quiet: boolean): Promise<void> {
  const fleet = await prepareFleet(options);
  const storage = storageOptions && startStorageFleet(storageOptions);
  const report = (): boolean =>
    quiet || process.stdout.write(`${statusLine(fleet.summary())}${storageLine(storage)}\n`);
  const ticker = setInterval(report, STATUS_EVERY_MS);
  const stop = async (): Promise<void> => {
    clearInterval(ticker);
    await Promise.all([fleet.stop(), storage?.stop()]);
    report();
    // The connection to a parent process would keep this process running.
    if (process.connected) process.disconnect();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      // A second signal ends the program immediately, because its handler is removed by then.
      void stop();
    });
  }
  // As a child process, the fleet ends when its parent ends, whatever the reason.
  if (process.connected) process.once('disconnect', () => void stop());
  await fleet.connect();
  report();
}

function storageLine(storage: StorageFleet | null): string {
  if (!storage) return '';
  const { connected, units, faulted } = storage.summary();
  return `  storage ${connected}/${units}  faulted ${faulted}`;
}

function statusLine(summary: FleetSummary): string {
  const { connected, devices, accepted, charging, faulted, sent, answered, received } = summary;
  const errors = summary.callErrors + summary.timeouts + summary.strayFrames;
  return [
    `connected ${connected}/${devices}`,
    `accepted ${accepted}`,
    `charging ${charging}`,
    `faulted ${faulted}`,
    `sent ${sent}`,
    `answered ${answered}`,
    `received ${received}`,
    `refused connections ${summary.refusedConnects}`,
    `lost connections ${summary.disconnects}`,
    `errors ${errors}`,
  ].join('  ');
}
