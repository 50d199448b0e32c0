import type { Duplex } from 'node:stream';
import type { TerminalEnd, TerminalPeople } from '@chargehand/contract';
import type { WebSocket } from 'ws';
import type { Cancel, Clock } from '../../platform/clock.ts';
import type { RunningActivity } from '../activity/activity.ts';
import { type TerminalFiles, terminalFiles } from '../files/terminal-files.ts';
import { signInToDevice, type TerminalSignIn, type TerminalSize } from './device-sign-in.ts';
import { outputWindow, WINDOW_BYTES } from './output-window.ts';
import type { Recorder } from './recorder.ts';

/** How long a terminal waits for its user after the connection was lost. */
const AWAY_MS = 60_000;
const MAX_SIZE = 1_000;
/** The window, the text before the sign-in, and some more. */
const MAX_UNSHOWN = 2 * WINDOW_BYTES;

/** What a terminal tells those who see it. */
export interface Stage {
  output(data: Buffer): void;
  resized(size: TerminalSize): void;
  /** `guest`: its name; null for the user of the terminal */
  typed(guest: string | null): void;
  /** The page of the user was connected, or lost its connection. */
  hostConnected(connected: boolean): void;
  people(): TerminalPeople;
  end(end: TerminalEnd): void;
}

interface TerminalParts {
  clock: Clock;
  /** the port of the SSH server, for messages */
  port: number;
  /** Starts the recording. `onFailed`: it cannot go on, so the terminal must end. */
  record(onFailed: () => void): Promise<Recorder>;
  /** Records a transfer of a file; null: it must not happen. */
  beginTransfer(text: string): RunningActivity | null;
  /** those who see the terminal besides its user */
  stage: Stage;
  onEnd(): void;
}

/** A shell on a device. */
export interface Terminal {
  /** the files of the device, for the user who signed in */
  files: TerminalFiles;
  /** of its recording */
  id: number;
  /** Writes what a guest typed. `from`: its connection, which waits while the device is busy */
  input(data: Buffer, guest: string, from: Pick<WebSocket, 'pause' | 'resume'>): void;
  /** Tells the page of the user who sees the terminal. */
  tellPeople(): void;
  /** Marks an event in the recording. */
  mark(text: string): void;
  /** Sends output to a connection of the user, from a position, and takes its input. A former connection is closed. */
  attach(socket: WebSocket, position: number): void;
  /** Resolves when the recording is stored. */
  end(reason: TerminalEnd): Promise<void>;
}

/**
 * Signs in to the SSH server of a device and starts a shell.
 * @throws {Problem} terminalSignIn, terminalKeyRefused, terminalFailed
 */
export async function startTerminal(
  transport: Duplex,
  signIn: TerminalSignIn & { size: TerminalSize },
  { clock, port, record, stage, beginTransfer, onEnd }: TerminalParts,
): Promise<Terminal> {
  const { client, shell, grant, banner } = await signInToDevice(transport, signIn, { clock, port });

  let failed = false;
  let onFailed: () => void = () => undefined;
  const recorder = await record(() => {
    failed = true;
    onFailed();
  }).catch((error) => {
    client.end();
    throw error;
  });
  const files = terminalFiles(client, { clock, begin: beginTransfer });
  const output = outputWindow();
  let socket: WebSocket | null = null;
  let ended: Promise<void> | null = null;
  let cancelAway: Cancel = () => undefined;

  const waitForUser = () => {
    cancelAway();
    cancelAway = clock.after(AWAY_MS, () => void end('away'));
  };
  function end(reason: TerminalEnd): Promise<void> {
    if (ended) return ended;
    stage.end(reason);
    ended = recorder.end(reason);
    cancelAway();
    socket?.send(JSON.stringify({ end: reason }));
    socket?.close(1000);
    void files.end().finally(() => {
      client.end();
      client.destroy();
    });
    onEnd();
    return ended;
  }

  function write(data: Buffer, guest: string | null, from: Pick<WebSocket, 'pause' | 'resume'>): void {
    recorder.input(data, guest);
    if (shell.write(data)) return;
    from.pause();
    shell.once('drain', () => from.resume());
  }

  function receive(sender: WebSocket, data: Buffer, binary: boolean): void {
    if (sender !== socket || ended) return;
    if (binary) {
      stage.typed(null);
      write(data, null, sender);
      return;
    }
    const message = messageOf(data);
    if (message === null) {
      sender.close(1008, 'not a message of a terminal');
      return;
    }
    if (message.ack !== undefined) grant(output.acknowledge(message.ack));
    if (message.size) {
      stage.resized(message.size);
      recorder.resize(message.size);
      shell.setWindow(message.size.rows, message.size.cols, 0, 0);
    }
    if (message.close) void end('closed');
  }

  const tellPeople = () => socket?.send(JSON.stringify({ people: stage.people() }));
  const onOutput = (data: Buffer) => {
    if (ended) return;
    recorder.output(data);
    stage.output(data);
    output.add(data);
    socket?.send(data);
    // A device that sends more than was granted would fill the memory.
    if (output.size() > MAX_UNSHOWN) void end('lost');
  };
  if (banner !== '') onOutput(Buffer.from(banner.replace(/\r?\n/g, '\r\n')));
  shell.on('data', onOutput);
  shell.stderr.on('data', onOutput);
  shell.on('close', () => void end('exited'));
  client.on('close', () => void end('lost'));
  onFailed = () => void end('lost');
  waitForUser();
  if (failed || shell.destroyed) void end('lost');

  return {
    files,
    id: recorder.id,
    end,
    input(data, guest, from) {
      if (!ended) write(data, guest, from);
    },
    tellPeople,
    mark: recorder.mark,
    attach(opened, position) {
      const missed = output.from(position);
      if (missed === null || ended) {
        opened.close(1008, 'this position is not available');
        return;
      }
      socket?.close(1000, 'opened again');
      cancelAway();
      socket = opened;
      grant(output.acknowledge(position));
      for (const data of missed) opened.send(data);
      stage.hostConnected(true);
      tellPeople();
      opened.on('message', (data, binary) => receive(opened, data as Buffer, binary));
      opened.on('error', () => undefined);
      opened.on('close', () => {
        if (socket !== opened) return;
        socket = null;
        if (ended) return;
        stage.hostConnected(false);
        waitForUser();
      });
    },
  };
}

/** A message of a terminal page: the position up to which it has the output, its size, or that it was closed. */
function messageOf(data: Buffer): { ack?: number; size?: TerminalSize; close?: boolean } | null {
  try {
    const { ack, size, close } = JSON.parse(String(data));
    const isSize = (value: unknown) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_SIZE;
    if (ack !== undefined && !Number.isSafeInteger(ack)) return null;
    if (size !== undefined && !(isSize(size?.cols) && isSize(size?.rows))) return null;
    return { ack, size, close: close === true };
  } catch {
    return null;
  }
}
