import { filesOfCustomer } from '../attachments/index.ts';
import { codeExplainer, documentFinder } from '../documents/index.ts';
import { claimUnreadDevices } from '../fleet/index.ts';
import { reportTokens } from '../issues/index.ts';
import { linkDesk, linkKeys } from '../links/index.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';
import { setFirstPolicy, tokenListDesk } from '../tokens/index.ts';
import { transferDesk } from '../transfers/index.ts';

/** Functions that a room has for rooms that it uses itself. They run on the database alone. */
export const desks = declareRoom({
  name: 'functions between rooms',
  needs: ['db', 'clock', 'addresses', 'fileAddresses', 'sealedLinks'],
  later: ['links'],
  provides: [
    'documentFinder',
    'codeExplainer',
    'linkKeys',
    'linkDesk',
    'transferDesk',
    'tokenListDesk',
    'claimUnread',
    'filesOfCustomer',
    'reportTokens',
    'firstPolicy',
  ],
  open({ db, clock, addresses, fileAddresses, sealedLinks, links }) {
    const keys = linkKeys();
    return {
      documentFinder: documentFinder(db),
      codeExplainer: codeExplainer(db),
      linkKeys: keys,
      linkDesk: linkDesk({
        ...{ db, clock, keys },
        server: () => {
          const address = addresses.links();
          return address && { ...address, hostKey: links().hostKey, hostKeys: links().hostKeys };
        },
      }),
      transferDesk: transferDesk({ db, addresses: fileAddresses }),
      tokenListDesk: tokenListDesk(db),
      claimUnread: (limit) => claimUnreadDevices(db, limit),
      filesOfCustomer,
      reportTokens: (deviceIds) => reportTokens(db, sealedLinks, 'device_id', deviceIds),
      firstPolicy: setFirstPolicy,
    };
  },
});
