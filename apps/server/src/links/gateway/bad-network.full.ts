import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { guessLimit } from '../../platform/guess-limit.ts';
import { createLog } from '../../platform/log.ts';
import { eventually } from '../../testing/eventually.ts';
import { echoService, openLink, SSH_CLIENTS, type SshClient } from '../../testing/links/link-device.ts';
import { slowWay } from '../../testing/links/slow-way.ts';
import { soon } from '../../testing/within.ts';
import { newHostKey } from '../index.ts';
import { sshGateway } from './ssh-gateway.ts';

const LINK = 1;
const DELAY_MS = 200;
/** Longer than a round trip: a device that answers is not taken for one that is gone. */
const KEEPALIVE_MS = 1_000;

/** A device with an open link, on a way with a round trip of 400 ms. */
async function openSlowLink(client: SshClient, keepaliveMs?: number) {
  let open = false;
  const closed = Promise.withResolvers<void>();
  const echo = await echoService();
  const gateway = sshGateway({
    ...{ hostKey: newHostKey(), host: '127.0.0.1', port: 0, guesses: guessLimit() },
    ...{ clock: systemClock, log: createLog('silent'), isUser: () => false, userWith: () => null },
    ...{ ...(keepaliveMs ? { keepaliveMs } : {}) },
    admit: async () => ({ linkId: LINK, ports: [echo.port] }),
    onOpen: () => {
      open = true;
    },
    onClosed: () => closed.resolve(),
  });
  await gateway.start();
  const way = await slowWay(gateway.port()!, DELAY_MS);
  const device = openLink(client, {
    ...{ link: LINK, host: '127.0.0.1', port: way.port, hostKey: gateway.publicKey, user: 'PILE.1', ticket: 'right' },
    ...{
      forwards: [{ listen: echo.port, to: `127.0.0.1:${echo.port}` }],
      endsAt: new Date().toISOString(),
      seconds: 900,
    },
  });
  onTestFinished(async () => {
    way.close();
    await device.stop();
    await gateway.stop();
    echo.close();
  });
  await eventually(
    () => open,
    (isOpen) => isOpen,
    { what: 'the link to open' },
  );
  const channel = await soon('the channel', gateway.connect(LINK, echo.port));
  const echoes = async (text: string) => {
    channel.write(text);
    const [data] = await soon('the echo', once(channel, 'data'));
    expect(String(data)).toBe(text);
  };
  return { gateway, way, device, echoes, closed: closed.promise };
}

test.each(SSH_CLIENTS)('%s opens its link with a round trip of 400 ms', async (client) => {
  const { echoes } = await openSlowLink(client);
  await echoes('far away\n');
});

test.each(SSH_CLIENTS)('a link of %s ends when the device has lost its network', async (client) => {
  const { gateway, way, echoes, closed } = await openSlowLink(client, KEEPALIVE_MS);
  await echoes('still here\n');
  way.freeze();
  await soon('the end of the link', closed);
  expect(gateway.traffic(LINK)).toBeNull();
});
