import type { Locale, ResultOf, vpnEndpoints } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { findLink } from '../links.store.ts';
import { type SshConfigFacts, sshConfig } from './ssh-config.ts';
import type { VpnAccess } from './vpn-access.ts';

export type VpnService = ReturnType<typeof vpnService>;

/** VPN links, for their users. */
export function vpnService(parts: {
  db: Kysely<Database>;
  access: Pick<VpnAccess, 'create' | 'userOf'>;
  /** the SSH server; null while it does not listen */
  server(): SshConfigFacts['server'] | null;
  /** the device is connected for this link */
  connected(linkId: number): boolean;
  /** the name of the product in a language */
  productName(locale: Locale): string;
}) {
  const { db, access, server, connected, productName } = parts;
  return {
    /** A new key for an open link, with the configuration for ssh. */
    async open(caller: Caller, linkId: number): Promise<ResultOf<(typeof vpnEndpoints)['openLinkAccess']>> {
      const link = await findLink(db, linkId);
      const address = server();
      if (link?.state !== 'open' || link.kind !== 'vpn' || !address) throw new Problem('linkNotOpen');
      if (link.requestedBy !== caller.userId) throw new Problem('noPermission');
      await db.transaction().execute(async (trx) => {
        await logAction(trx, caller, {
          ...{ operation: 'control', objectType: 'device', objectId: String(link.deviceId ?? '') },
          ...{ objectName: link.deviceName, customerId: link.customerId, siteId: link.siteId },
          after: { link: link.kind, key: true },
        });
      });
      // It may have ended meanwhile. Its key would not be removed then.
      if (!connected(linkId)) throw new Problem('linkNotOpen');
      const { port, until } = link;
      const privateKey = access.create(caller, { linkId, port });
      return sshConfig({
        ...{ linkId, server: address, user: access.userOf(linkId), privateKey, port, until },
        product: productName('en-US'),
      });
    },
  };
}
