import type { IncomingMessage } from 'node:http';
import WebSocket, { WebSocketServer } from 'ws';

/** A CALL of a device, with the text of its frame. */
interface SentCall {
  sn: string;
  messageId: string;
  action: string;
  payload: Record<string, unknown>;
}

/** A CALL of a device that the server has answered with a CALLRESULT: it must not be lost from then on. */
interface AcknowledgedCall extends SentCall {
  answer: Record<string, unknown>;
}

/** A proxy between devices and the server that records the frames of both sides, as evidence for a fault test. */
export interface Tap {
  /** where devices connect, without the SN */
  url: string;
  acknowledged: AcknowledgedCall[];
  /** CALLs that devices sent to the server, including repetitions */
  sent: SentCall[];
  /** how often each CALL of the server reached its device, by message id */
  requested: Map<string, number>;
  /** message ids of the server's CALLs that a device answered */
  answered: Set<string>;
  /** SNs whose connection is open on both sides */
  open(): Set<string>;
  /** While closed, devices are refused before they reach the server. */
  gate: 'open' | 'closed';
  stop(): Promise<void>;
}

const SUBPROTOCOL = 'ocpp1.6';

export async function startTap(port: number, server: string): Promise<Tap> {
  const listener = new WebSocketServer({
    port,
    host: '127.0.0.1',
    verifyClient: () => tap.gate === 'open',
    handleProtocols: () => SUBPROTOCOL,
  });
  const connections = new Map<WebSocket, { sn: string; upstream: WebSocket }>();
  const tap: Tap = {
    url: `ws://127.0.0.1:${port}/ocpp`,
    acknowledged: [],
    sent: [],
    requested: new Map(),
    answered: new Set(),
    gate: 'open',
    open() {
      const both = [...connections].filter(
        ([device, connection]) =>
          device.readyState === WebSocket.OPEN && connection.upstream.readyState === WebSocket.OPEN,
      );
      return new Set(both.map(([, connection]) => connection.sn));
    },
    async stop() {
      for (const [device, { upstream }] of connections) {
        device.terminate();
        upstream.terminate();
      }
      await new Promise((resolve) => listener.close(resolve));
    },
  };

  listener.on('connection', (device: WebSocket, request: IncomingMessage) => {
    const sn = request.url?.split('/').at(-1) ?? '';
    const upstream = new WebSocket(`${server}/ocpp/${sn}`, SUBPROTOCOL);
    connections.set(device, { sn, upstream });
    const unanswered = new Map<string, SentCall>();
    const early: string[] = [];
    const up = (text: string) => {
      noteFromDevice(tap, sn, text, unanswered);
      upstream.send(text);
    };
    device.on('message', (data) => {
      const text = String(data);
      if (upstream.readyState === WebSocket.OPEN) up(text);
      else if (upstream.readyState === WebSocket.CONNECTING) early.push(text);
    });
    upstream.on('open', () => {
      for (const text of early.splice(0)) up(text);
    });
    upstream.on('message', (data) => {
      const text = String(data);
      noteFromServer(tap, text, unanswered);
      if (device.readyState === WebSocket.OPEN) device.send(text);
    });
    // When one side ends, the other ends in the same way: the device of a killed server sees its connection break.
    upstream.on('close', (code) => end(device, code));
    device.on('close', (code) => {
      connections.delete(device);
      end(upstream, code);
    });
    upstream.on('error', () => device.terminate());
    device.on('error', () => upstream.terminate());
  });
  await new Promise((resolve) => listener.once('listening', resolve));
  return tap;
}

function end(socket: WebSocket, code: number): void {
  if (code >= 1000 && code !== 1005 && code !== 1006) socket.close(code);
  else socket.terminate();
}

function noteFromDevice(tap: Tap, sn: string, text: string, unanswered: Map<string, SentCall>): void {
  const frame = JSON.parse(text);
  if (frame[0] === 2) {
    const call: SentCall = { sn, messageId: frame[1], action: frame[2], payload: frame[3] };
    unanswered.set(call.messageId, call);
    tap.sent.push(call);
  } else tap.answered.add(frame[1]);
}

function noteFromServer(tap: Tap, text: string, unanswered: Map<string, SentCall>): void {
  const frame = JSON.parse(text);
  if (frame[0] === 2) {
    tap.requested.set(frame[1], (tap.requested.get(frame[1]) ?? 0) + 1);
    return;
  }
  const call = unanswered.get(frame[1]);
  unanswered.delete(frame[1]);
  if (frame[0] === 3 && call) tap.acknowledged.push({ ...call, answer: frame[2] });
}
