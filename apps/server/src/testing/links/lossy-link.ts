/**
 * Runs in a network of its own that loses packets (`packet-loss.test.ts`): opens a link with the client named in the
 * arguments, sends data through it to an echo service on the device, and prints what came back.
 */
import { createHash, randomBytes } from 'node:crypto';
import { sshGateway } from '../../links/gateway/ssh-gateway.ts';
import { newHostKey } from '../../links/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { guessLimit } from '../../platform/guess-limit.ts';
import { createLog } from '../../platform/log.ts';
import { echoService, openLink, type SshClient } from './link-device.ts';

const LINK = 1;
const BYTES = 1024 * 1024;

const opened = Promise.withResolvers<void>();
const echo = await echoService();
const gateway = sshGateway({
  ...{ hostKey: newHostKey(), host: '127.0.0.1', port: 0, guesses: guessLimit(), clock: systemClock },
  ...{ log: createLog('silent'), isUser: () => false, userWith: () => null, onClosed: () => undefined },
  admit: async () => ({ linkId: LINK, ports: [echo.port] }),
  onOpen: () => opened.resolve(),
});
await gateway.start();
const device = openLink(process.argv[2] as SshClient, {
  ...{ link: LINK, host: '127.0.0.1', port: gateway.port()!, hostKey: gateway.publicKey, user: 'PILE.1', ticket: 'x' },
  ...{ forwards: [{ listen: echo.port, to: `127.0.0.1:${echo.port}` }], endsAt: new Date().toISOString(), seconds: 60 },
});
await opened.promise;
const channel = await gateway.connect(LINK, echo.port);
const sent = randomBytes(BYTES);
const received = createHash('sha256');
let length = 0;
const all = new Promise<void>((resolve) => {
  channel.on('data', (data: Buffer) => {
    received.update(data);
    length += data.length;
    if (length >= BYTES) resolve();
  });
});
channel.write(sent);
await all;
const same = length === BYTES && received.digest('hex') === createHash('sha256').update(sent).digest('hex');
process.stdout.write(`${JSON.stringify({ same, length })}\n`);
await device.stop();
await gateway.stop();
echo.close();
