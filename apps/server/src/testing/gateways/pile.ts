import { once } from 'node:events';
import WebSocket from 'ws';
import { soon } from '../within.ts';

/** A CALL of the server as received. */
interface WireCall {
  id: string;
  action: string;
  payload: Record<string, unknown>;
}

/** A charge point without behaviour of its own: sends what the test sends, and answers nothing by itself. */
export interface Pile {
  /** the requests of the server on this connection, in order */
  calls: WireCall[];
  /** Resolves with the server's CALL numbered `count` (from 1) when it has arrived. */
  call(count: number): Promise<WireCall>;
  /** Sends a CALL and resolves with the payload of its CALLRESULT; rejects on a CALLERROR. */
  say(action: string, payload: object): Promise<Record<string, unknown>>;
  answer(id: string, payload: object): void;
  answerError(id: string, code: string, description: string): void;
  /** Breaks the connection without a close frame, like a lost mobile connection. */
  cut(): Promise<void>;
}

/** Commands are sent with the UUID of their execution, automatic requests with a shorter id. */
const COMMAND_ID = /^[0-9a-f-]{36}$/;

/** Opens the connection of a device and boots it. */
export async function connectPile(server: { port: number }, sn: string): Promise<Pile> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ocpp/${sn}`, 'ocpp1.6');
  const results = new Map<string, (frame: unknown[]) => void>();
  const waiting = new Map<number, (call: WireCall) => void>();
  let sent = 0;
  const pile: Pile = {
    calls: [],
    call: (count) =>
      soon(
        `call ${count} to the pile`,
        new Promise((resolve) => {
          const call = pile.calls[count - 1];
          if (call) resolve(call);
          else waiting.set(count, resolve);
        }),
      ),
    async say(action, payload) {
      sent += 1;
      const id = `say-${sent}`;
      const answered = new Promise<unknown[]>((resolve) => {
        results.set(id, resolve);
      });
      socket.send(JSON.stringify([2, id, action, payload]));
      const frame = await soon(`the answer to ${action}`, answered);
      if (frame[0] !== 3) throw new Error(`${action} was answered with ${JSON.stringify(frame)}`);
      return frame[2] as Record<string, unknown>;
    },
    answer: (id, payload) => socket.send(JSON.stringify([3, id, payload])),
    answerError: (id, code, description) => socket.send(JSON.stringify([4, id, code, description, {}])),
    async cut() {
      if (socket.readyState === WebSocket.CLOSED) return;
      const closed = once(socket, 'close');
      socket.terminate();
      await closed;
    },
  };
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data));
    if (frame[0] !== 2) {
      results.get(frame[1])?.(frame);
      return;
    }
    // Automatic requests are not commands: it accepts them and sends nothing.
    if (frame[2] === 'TriggerMessage' && !COMMAND_ID.test(frame[1])) {
      pile.answer(frame[1], { status: 'Accepted' });
      return;
    }
    pile.calls.push({ id: frame[1], action: frame[2], payload: frame[3] });
    waiting.get(pile.calls.length)?.(pile.calls.at(-1)!);
  });
  await once(socket, 'open');
  await pile.say('BootNotification', { chargePointVendor: 'Test', chargePointModel: 'Pile' });
  return pile;
}
