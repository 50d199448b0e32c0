import { filesOfCustomer } from '../attachments/index.ts';
import { codeExplainer, documentFinder } from '../documents/index.ts';
import { claimUnreadDevices } from '../fleet/index.ts';
import { reportTokens } from '../issues/index.ts';
import { linkCalls, linkKeys } from '../links/index.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';
import { setFirstPolicy, tokenListCalls } from '../tokens/index.ts';
import { transferCalls } from '../transfers/index.ts';

/** Functions that a room has for rooms that it uses itself. They run on the database alone. */
export const sharedFunctions = declareRoom({
  name: 'functions between rooms',
  needs: ['db', 'clock', 'bus', 'node', 'addresses', 'fileAddresses', 'sealedLinks'],
  later: ['links'],
  provides: [
    'documentFinder',
    'codeExplainer',
    'linkKeys',
    'linkCalls',
    'transferCalls',
    'tokenListCalls',
    'claimUnread',
    'filesOfCustomer',
    'reportTokens',
    'firstPolicy',
  ],
  open({ db, clock, bus, node, addresses, fileAddresses, sealedLinks, links }) {
    const keys = linkKeys({ bus, clock, box: sealedLinks });
    return {
      documentFinder: documentFinder(db),
      codeExplainer: codeExplainer(db),
      linkKeys: keys,
      linkCalls: linkCalls({
        ...{ db, clock, keys },
        server: () => {
          const address = addresses.links() ?? linkAddress(node.peerAddress('ssh:'));
          return address && { ...address, hostKey: links().hostKey, hostKeys: links().hostKeys };
        },
      }),
      transferCalls: transferCalls({ db, addresses: fileAddresses }),
      tokenListCalls: tokenListCalls(db),
      claimUnread: (limit) => claimUnreadDevices(db, limit),
      filesOfCustomer,
      reportTokens: (deviceIds) => reportTokens(db, sealedLinks, 'device_id', deviceIds),
      firstPolicy: setFirstPolicy,
    };
  },
});

/** Host and port in the address at which another process accepts links. */
function linkAddress(url: string | null): { host: string; port: number } | null {
  if (url === null) return null;
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
}
