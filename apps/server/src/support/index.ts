import { supportEndpoints } from '@chargehand/contract';
import type { Clock } from '../platform/clock.ts';
import type { DatabaseConnection } from '../platform/database/connect.ts';
import { attachment, dayStamp } from '../platform/http/serve/attachment.ts';
import { serve } from '../platform/http/serve/serve.ts';
import { whilePermitted } from '../platform/http/serve/while-permitted.ts';
import type { Log } from '../platform/log.ts';
import type { Room } from '../platform/room.ts';
import { supportBundle } from './bundle.ts';
import { recentLines } from './recent-lines.ts';

/** The support bundle as a download. */
export function supportRoom(parts: {
  pool: DatabaseConnection['pool'];
  clock: Clock;
  log: Log;
  version: string;
  dataFolder: string;
  metrics(): Promise<string>;
  problems(): Promise<unknown>;
}): Room {
  const { pool, clock, log, version, dataFolder, metrics, problems } = parts;
  const recent = recentLines(log, clock.now);
  return {
    name: 'support',
    routes(app) {
      serve(app, supportEndpoints.downloadSupportBundle, async ({ request, reply }) => {
        const now = clock.now();
        attachment(reply, `chargehand support ${dayStamp(now)}.zip`, 'application/zip');
        const running = { metrics, problems, log: recent.lines };
        const bundle = supportBundle({ version, environment: process.env, dataFolder, pool, now, running });
        void reply.send(whilePermitted(request, bundle));
        return null;
      });
    },
    stop: recent.stop,
  };
}
