// A simulated device that opens links, and the SSH server and web pages of another one for direct connections, in a
// separate process. argv: the address of the central system.
import { startFleet } from '../../apps/simulator/src/index.ts';
import { Disk } from '../../apps/simulator/src/remote/disk.ts';
import { newKeyPair } from '../../apps/simulator/src/remote/key-pair.ts';
import { startSshServer } from '../../apps/simulator/src/remote/ssh-server.ts';
import { startWebPage } from '../../apps/simulator/src/remote/web-page.ts';

const [url = ''] = process.argv.slice(2);
const keys = newKeyPair();
const device = { sn: 'DIRECT', model: 'Pile', firmware: () => '1', status: () => [], reboot: () => undefined };
const ssh = await startSshServer(device, new Disk({ '/home/readme.txt': '' }), () => [keys.public]);
const web = await startWebPage(device);
const fleet = await startFleet({ url, devices: 1 });
await fleet.whenAccepted();
process.send?.({ sshPort: ssh.port, webPort: web.port, privateKey: keys.private });
process.on('disconnect', () => void fleet.stop().then(() => process.exit(0)));
