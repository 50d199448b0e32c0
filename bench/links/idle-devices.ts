// Devices with idle links, in a separate process. They connect with the tickets of a message `{ port, users }`, whose
// ticket is `ticket`, and stay connected. The answer is sent when all forwards are open.
import { once } from 'node:events';
import ssh2 from 'ssh2';

/** Below the limit of connections of one address that have not signed in. */
const AT_ONCE = 10;
const SSH_PORT = 22;
const clients: ssh2.Client[] = [];

process.on('message', async ({ port, users }: { port: number; users: string[] }) => {
  for (let first = 0; first < users.length; first += AT_ONCE)
    await Promise.all(users.slice(first, first + AT_ONCE).map((user) => connect(port, user)));
  process.send?.({ connected: clients.length });
});
process.on('disconnect', () => process.exit(0));
process.send?.({});

async function connect(port: number, username: string): Promise<void> {
  const client = new ssh2.Client();
  clients.push(client);
  client.connect({ host: '127.0.0.1', port, username, password: 'ticket' });
  await once(client, 'ready');
  await new Promise<void>((resolve, reject) => {
    client.forwardIn('localhost', SSH_PORT, (error) => (error ? reject(error) : resolve()));
  });
}
