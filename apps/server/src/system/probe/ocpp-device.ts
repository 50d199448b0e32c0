import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import type { ProbeDevice } from './probe.ts';
import type { ProbeIdentity } from './probe-gateway.ts';

/** A minimal OCPP 1.6 charge point that accepts every command. `url` is the address of the gateway, without the SN. */
export function ocppDevice(url: string, { sn, password }: ProbeIdentity): ProbeDevice {
  const authorization = `Basic ${Buffer.from(`${sn}:${password}`).toString('base64')}`;
  // The address is on this machine, and its certificate is that of a public name.
  const socket = new WebSocket(`${url}/${sn}`, ['ocpp1.6'], { headers: { authorization }, rejectUnauthorized: false });
  const opened = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const calls = new Map<string, { resolve(): void; reject(error: Error): void }>();
  socket.on('open', opened.resolve);
  socket.on('error', failed.reject);
  socket.on('close', (_, reason) => failed.reject(new Error(`the connection ended: ${String(reason)}`)));
  socket.on('message', (data) => {
    const [type, id, ...rest] = JSON.parse(String(data)) as [number, string, ...unknown[]];
    if (type === 2) socket.send(JSON.stringify([3, id, { status: 'Accepted' }]));
    else if (type === 3) calls.get(id)?.resolve();
    else calls.get(id)?.reject(new Error(`the gateway answered ${String(rest[0])}`));
  });
  const call = (action: string, payload: object): Promise<void> => {
    const id = randomUUID();
    const answered = Promise.withResolvers<void>();
    calls.set(id, answered);
    socket.send(JSON.stringify([2, id, action, payload]));
    return answered.promise;
  };
  return {
    failed: failed.promise,
    async connect() {
      await opened.promise;
      await call('BootNotification', { chargePointVendor: 'Chargehand', chargePointModel: 'Probe' });
    },
    report: () => call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available' }),
    close: () => socket.terminate(),
  };
}
