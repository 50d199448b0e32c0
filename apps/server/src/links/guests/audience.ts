import type { TerminalPeople, ViewerEnd, ViewerMessage } from '@chargehand/contract';
import type { WebSocket } from 'ws';
import type { Cancel, Clock } from '../../platform/clock.ts';
import type { TerminalSize } from '../terminal/device-sign-in.ts';
import type { Stage } from '../terminal/terminal.ts';
import { screenTail } from './screen-tail.ts';

/** How long a viewer may be away before its place is free. */
const AWAY_MS = 60_000;
/** Unsent output beyond this size is dropped: a slow viewer gets the present screen when it has received the rest. */
const BEHIND_BYTES = 512 * 1024;
/** A viewer that receives nothing for so long has no connection any more. */
const STUCK_MS = 30_000;
const TYPED_EVERY_MS = 1_000;

/** A person who sees a terminal besides its user. */
export interface Viewer {
  kind: 'watcher' | 'guest';
  name: string;
  /** the user, or the share of a guest */
  id: number;
  interactive: boolean;
}

/** The place of a viewer. It stays for a minute without a connection. */
export interface Seat {
  viewer: Viewer;
  connect(socket: WebSocket): void;
  /** Lets a guest type, or only watch. */
  setInteractive(interactive: boolean): void;
  leave(end: ViewerEnd): void;
}

export interface Audience extends Stage {
  /** `onLeft`: called once, when the viewer has left for good */
  add(viewer: Viewer, onLeft: (end: ViewerEnd) => void): Seat;
  seats(): Seat[];
  /** What lists show. */
  facts(): { size: TerminalSize; hostConnected: boolean; typed: { name: string; at: Date } | null };
}

/** The viewers of a terminal. They never slow it down: what a slow one has not received is dropped. */
export function audience(parts: {
  clock: Clock;
  size: TerminalSize;
  /** the user of the terminal */
  host: string;
  /** Writes what a guest typed. */
  input(data: Buffer, guest: string, from: Pick<WebSocket, 'pause' | 'resume'>): void;
  /** Somebody came, left, or may do something else. */
  onPeople(): void;
}): Audience {
  const { clock, host, input, onPeople } = parts;
  const tail = screenTail();
  const taken = new Map<
    Seat,
    { connected(): boolean; send(message: ViewerMessage): void; output(data: Buffer): void }
  >();
  let { size } = parts;
  let connected = false;
  let typed: { name: string; at: Date } | null = null;
  let ended = false;

  const toAll = (message: ViewerMessage) => {
    for (const one of taken.values()) one.send(message);
  };
  function people(): TerminalPeople {
    const present = [...taken].map(([{ viewer }, one]) => ({ ...viewer, connected: one.connected() }));
    const watchers = present.filter((one) => one.kind === 'watcher' && one.connected).map(({ name }) => name);
    return {
      watchers: [...new Set(watchers)],
      guests: present.flatMap(({ kind, id, name, interactive, connected }) =>
        kind === 'guest' ? [{ id, name, interactive, connected }] : [],
      ),
    };
  }
  function changed(): void {
    if (ended) return;
    toAll({ people: people() });
    onPeople();
  }
  function tellTyped(name: string): void {
    const now = clock.now();
    const isNew = typed?.name !== name || now.getTime() - typed.at.getTime() >= TYPED_EVERY_MS;
    if (!isNew) return;
    typed = { name, at: now };
    toAll({ typed: name });
  }

  return {
    output(data) {
      tail.add(data);
      for (const one of taken.values()) one.output(data);
    },
    resized(next) {
      size = next;
      toAll({ size });
    },
    typed: (guest) => tellTyped(guest ?? host),
    hostConnected(now) {
      connected = now;
      toAll({ host: { name: host, connected } });
    },
    people,
    facts: () => ({ size, hostConnected: connected, typed }),
    seats: () => [...taken.keys()],
    end(end) {
      for (const seat of taken.keys()) seat.leave(end);
      ended = true;
    },

    add(viewer, onLeft) {
      let socket: WebSocket | null = null;
      let behind = false;
      let cancelAway: Cancel = () => undefined;
      let cancelStuck: Cancel = () => undefined;
      const send = (message: ViewerMessage) => socket?.send(JSON.stringify(message));

      /** Shows the present screen. */
      function resync(): void {
        behind = false;
        cancelStuck();
        send({ screen: size });
        socket?.send(tail.read());
      }
      function sendOutput(data: Buffer): void {
        const open = socket;
        if (!open || behind) return;
        if (open.bufferedAmount < BEHIND_BYTES) {
          open.send(data);
          return;
        }
        behind = true;
        cancelStuck = clock.after(STUCK_MS, () => open.terminate());
        // Called when everything before it was sent.
        open.ping(undefined, undefined, () => {
          if (socket === open && behind) resync();
        });
      }
      function waitForViewer(): void {
        cancelAway();
        cancelAway = clock.after(AWAY_MS, () => seat.leave('away'));
      }
      const seat: Seat = {
        viewer,
        connect(opened) {
          socket?.close(1000, 'opened again');
          socket = opened;
          cancelAway();
          resync();
          send({ host: { name: host, connected } });
          send({ interactive: viewer.interactive });
          if (typed && clock.now().getTime() - typed.at.getTime() < TYPED_EVERY_MS) send({ typed: typed.name });
          opened.on('error', () => undefined);
          opened.on('message', (data, binary) => {
            // Frames may still arrive after the end.
            if (socket !== opened || !taken.has(seat)) return;
            if (!binary || viewer.kind === 'watcher') opened.close(1008, 'viewers send no such messages');
            // Nobody else types while the user of the terminal is away.
            else if (viewer.interactive && connected) {
              tellTyped(viewer.name);
              input(data as Buffer, viewer.name, opened);
            }
          });
          opened.on('close', () => {
            if (socket !== opened) return;
            socket = null;
            cancelStuck();
            if (!taken.has(seat)) return;
            waitForViewer();
            changed();
          });
          changed();
        },
        setInteractive(interactive) {
          if (viewer.interactive === interactive) return;
          viewer.interactive = interactive;
          send({ interactive });
          changed();
        },
        leave(end) {
          if (!taken.delete(seat)) return;
          cancelAway();
          cancelStuck();
          send({ end });
          socket?.close(1000);
          onLeft(end);
          changed();
        },
      };
      taken.set(seat, { connected: () => socket !== null, send, output: sendOutput });
      waitForViewer();
      return seat;
    },
  };
}
