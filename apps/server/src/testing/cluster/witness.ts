import { WebSocket } from 'ws';

/** A charge point that reports transactions without a pause, and knows what was acknowledged. */
export interface Witness {
  sn: string;
  /** acknowledged transactions: the ID from the server, by `idTag` */
  acknowledged: Map<string, number>;
  /** how often each command has arrived, by its ID */
  commands: Map<string, number>;
  /** connections that ended */
  disconnects(): number;
  stop(): void;
}

const RECONNECT_MS = 200;
/** How long it waits for an answer, as charge points do, and for a handshake. Milliseconds. */
const ANSWER_MS = 30_000;
const HANDSHAKE_MS = 5_000;
const PAUSE_MS = 500;

/**
 * Starts a witness.
 * @param url of the gateways, without the SN
 */
export function startWitness(url: string, sn: string): Witness {
  const acknowledged = new Map<string, number>();
  const commands = new Map<string, number>();
  let socket: WebSocket | null = null;
  let stopped = false;
  let lost = 0;
  let count = 0;
  let sent: { id: string; idTag: string; at: string } | null = null;
  let timer: NodeJS.Timeout | undefined;

  const call = (action: string, payload: object, id: string) => socket?.send(JSON.stringify([2, id, action, payload]));

  /** Reports a transaction; without an answer the same one again, as charge points do. */
  function report(): void {
    clearTimeout(timer);
    if (stopped || socket?.readyState !== WebSocket.OPEN) return;
    if (!sent) {
      count += 1;
      sent = { id: `${sn}-${count}`, idTag: `T${count}`, at: new Date().toISOString() };
    }
    const { id, idTag, at } = sent;
    call('StartTransaction', { connectorId: 1, idTag, meterStart: count, timestamp: at }, id);
    timer = setTimeout(() => socket?.terminate(), ANSWER_MS);
  }

  function onMessage(text: string): void {
    const [kind, id, third] = JSON.parse(text) as [number, string, unknown];
    if (kind === 2) {
      if (third === 'Reset') commands.set(id, (commands.get(id) ?? 0) + 1);
      const answer = third === 'Reset' ? { status: 'Accepted' } : {};
      socket?.send(
        JSON.stringify(third === 'Reset' ? [3, id, answer] : [4, id, 'NotImplemented', 'not supported', {}]),
      );
      return;
    }
    if (id !== sent?.id) return;
    clearTimeout(timer);
    if (kind === 3) acknowledged.set(sent.idTag, (third as { transactionId: number }).transactionId);
    const [{ idTag }, transactionId] = [sent, (third as { transactionId?: number }).transactionId];
    if (kind === 3) {
      sent = null;
      const stop = { transactionId, meterStop: count + 1, timestamp: new Date().toISOString(), idTag };
      call('StopTransaction', stop, `${sn}-${count}-end`);
    }
    timer = setTimeout(report, PAUSE_MS);
  }

  function open(): void {
    if (stopped) return;
    const opened = new WebSocket(`${url}/${sn}`, ['ocpp1.6'], { handshakeTimeout: HANDSHAKE_MS });
    socket = opened;
    opened.on('open', () => {
      call('BootNotification', { chargePointVendor: 'Witness', chargePointModel: 'W1' }, `${sn}-boot-${lost}`);
      report();
    });
    opened.on('message', (data) => onMessage(String(data)));
    opened.on('error', () => undefined);
    opened.on('close', () => {
      lost += 1;
      clearTimeout(timer);
      setTimeout(open, RECONNECT_MS);
    });
  }
  open();
  return {
    ...{ sn, acknowledged, commands },
    disconnects: () => lost,
    stop() {
      stopped = true;
      clearTimeout(timer);
      socket?.terminate();
    },
  };
}
