import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SSH_CLIENTS } from '../../testing/links/link-device.ts';
import { soon } from '../../testing/within.ts';

const PROGRAM = join(import.meta.dirname, '../../testing/links/lossy-link.ts');
/**
 * A network of its own in which one of 20 packets is lost. Kernels of containers often have no netem: a filter (random
 * number below 5 % of 2^32) sends packets to a queue without room.
 */
const NETWORK = `set -e
PATH=$PATH:/usr/sbin:/sbin
ip link set lo mtu 1500 up
tc qdisc add dev lo root handle 1: htb default 1 r2q 10000
tc class add dev lo parent 1: classid 1:1 htb rate 1gbit
tc class add dev lo parent 1: classid 1:2 htb rate 1gbit
tc qdisc add dev lo parent 1:2 pfifo limit 0
tc filter add dev lo parent 1: protocol ip bpf bytecode '4,32 0 0 4294963256,53 1 0 214748365,6 0 0 65538,6 0 0 65537'
"$@"
tc -s qdisc show dev lo`;

test.each(SSH_CLIENTS)('a link of %s loses no byte when 5 % of the packets are lost', async (client) => {
  const command = ['-Urn', 'sh', '-c', NETWORK, 'sh', process.execPath, PROGRAM, client];
  const child = spawn('unshare', command, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)));
  const [code] = await soon('the end of the transfer', once(child, 'close'));
  expect([code, output]).toEqual([0, expect.stringContaining('{"same":true,"length":1048576}')]);
  expect(Number(/dropped (\d+)/.exec(output)?.[1])).toBeGreaterThan(0);
});
