import { declareRoom } from '../platform/rooms/assemble.ts';
import type { Pictures } from '../ports/pictures.ts';
import { avatarService } from './avatar.service.ts';
import { credentialsService } from './credentials.service.ts';
import { filesRoutes } from './files.routes.ts';
import { picturesService } from './pictures.service.ts';
import { fileSweep } from './sweep.ts';
import { uploadLimits } from './upload-limits.ts';
import './tables.ts';

export { incomingPrefixesOf } from './places.ts';

declare module '../platform/rooms/assemble.ts' {
  interface Parts {
    pictures: Pictures;
  }
}

/** Credentials for the object store, pictures of rows, and the sweep of unused uploads. */
export const files = declareRoom({
  name: 'files',
  needs: ['db', 'pool', 'store', 'clock', 'log', 'branding'],
  provides: ['pictures'],
  open({ db, pool, store, clock, log, branding }) {
    const limits = uploadLimits(db, pool);
    const pictures = picturesService({ store, log });
    const credentials = credentialsService({ db, store, limits });
    const sweep = fileSweep({ db, store, limits, clock, log, others: [branding.unused] });
    return {
      role: 'jobs',
      pictures,
      routes(app) {
        filesRoutes(app, { credentials, avatar: avatarService({ db, pictures }) });
      },
      start: () => void sweep.start(),
      stop: sweep.stop,
    };
  },
});
