import { connect } from 'mqtt';
import type { ProbeDevice } from './probe.ts';
import type { ProbeIdentity } from './probe-gateway.ts';

/** A minimal MQTT device that sends plain JSON and accepts every command. */
export function mqttDevice(url: string, { sn, password }: ProbeIdentity): ProbeDevice {
  const topic = (leaf: string) => `chargehand/${sn}/${leaf}`;
  const client = connect(url, {
    ...{ username: sn, password, clientId: sn, protocolVersion: 4, reconnectPeriod: 0, resubscribe: false },
    // The address is on this machine, and its certificate is that of a public name.
    rejectUnauthorized: false,
  });
  const opened = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  client.on('connect', () => opened.resolve());
  client.on('error', failed.reject);
  client.on('close', () => failed.reject(new Error('the connection ended')));
  // The gateway acknowledges a message after it is stored.
  const send = async (leaf: string, message: object) => {
    await client.publishAsync(topic(leaf), JSON.stringify(message), { qos: 1 });
  };
  client.on('message', (_topic, payload) => {
    const { id } = JSON.parse(payload.toString()) as { id: string };
    send('answer', { id, status: 'accepted' }).catch(failed.reject);
  });
  return {
    failed: failed.promise,
    async connect() {
      await opened.promise;
      await client.subscribeAsync(topic('command'), { qos: 1 });
      await send('status', { status: 'online', softVersion: 'probe' });
    },
    report: () => send('status', { status: 'online', state: 'idle' }),
    close: () => client.end(true),
  };
}
