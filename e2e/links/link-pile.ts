import type { LinkParams } from '../../apps/server/src/ports/devices/links.ts';
import { connectPile } from '../../apps/server/src/testing/gateways/pile.ts';
import { deviceShell } from '../../apps/server/src/testing/links/device-shell.ts';
import { type LinkDevice, openLink, type SshClient } from '../../apps/server/src/testing/links/link-device.ts';

/** A device behind NAT: a charge point that opens links with a real SSH client to its own SSH server. */
export interface LinkPile {
  /** the port of its SSH server: user `admin`, password `充电` */
  port: number;
  /** Accepts the next control 7 and connects. */
  connects(client?: SshClient): Promise<void>;
  /** Answers the next control 7 with an error. */
  refuses(code: string): Promise<void>;
  /** Ends its SSH clients. */
  disconnects(): Promise<void>;
  stop(): Promise<void>;
}

/** Connects a device of the world. */
export async function connectLinkPile(server: { port: number }, sn: string): Promise<LinkPile> {
  const [pile, shell] = await Promise.all([connectPile(server, sn), deviceShell()]);
  const devices: LinkDevice[] = [];
  let calls = 0;
  /** The next control 7. Controls 8 are accepted: the server has closed its side. */
  async function control(): Promise<{ id: string; params: LinkParams }> {
    for (;;) {
      calls += 1;
      const { id, payload } = await pile.call(calls);
      if (payload.messageId === 'startVpn') return { id, params: JSON.parse(String(payload.data)) };
      pile.answer(id, { status: 'Accepted' });
    }
  }
  async function disconnects(): Promise<void> {
    for (const device of devices.splice(0)) await device.stop();
  }
  return {
    port: shell.port,
    async connects(client = 'ssh') {
      const { id, params } = await control();
      pile.answer(id, { status: 'Accepted' });
      devices.push(openLink(client, params));
    },
    async refuses(code) {
      const { id } = await control();
      pile.answer(id, { status: 'Rejected', data: code });
    },
    disconnects,
    async stop() {
      await disconnects();
      await pile.cut();
      shell.close();
    },
  };
}
