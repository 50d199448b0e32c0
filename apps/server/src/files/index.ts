import type { Clock } from '../platform/clock.ts';
import type { DatabaseConnection } from '../platform/database/connect.ts';
import type { Log } from '../platform/log.ts';
import type { ObjectStore } from '../platform/objects/store.ts';
import type { Room } from '../platform/room.ts';
import type { Pictures } from '../ports/pictures.ts';
import { avatarService } from './avatar.service.ts';
import { credentialsService } from './credentials.service.ts';
import { filesRoutes } from './files.routes.ts';
import { picturesService } from './pictures.service.ts';
import { fileSweep, type SweptFolder } from './sweep.ts';
import { uploadLimits } from './upload-limits.ts';
import './tables.ts';

export { incomingPrefixesOf } from './places.ts';

export interface FilesRoom extends Required<Room> {
  pictures: Pictures;
}

/** Credentials for the object store, pictures of rows, and the sweep of unused uploads. */
export function filesRoom(parts: {
  database: DatabaseConnection;
  store: ObjectStore;
  clock: Clock;
  log: Log;
  /** folders of other rooms */
  others: readonly SweptFolder[];
}): FilesRoom {
  const { database, store, clock, log, others } = parts;
  const { db, pool } = database;
  const limits = uploadLimits(db, pool);
  const pictures = picturesService({ store, log });
  const credentials = credentialsService({ db, store, limits });
  const sweep = fileSweep({ db, store, limits, clock, log, others });
  return {
    name: 'files',
    role: 'jobs',
    pictures,
    routes(app) {
      filesRoutes(app, { credentials, avatar: avatarService({ db, pictures }) });
    },
    start: () => void sweep.start(),
    stop: sweep.stop,
  };
}
