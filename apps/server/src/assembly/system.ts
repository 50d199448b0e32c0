import { dropDeliveries } from '../applications/index.ts';
import { dropSends } from '../messages/index.ts';
import { cancelQueued } from '../operations/index.ts';
import type { deletionGuard } from '../platform/deletion/deletion.ts';
import { giveUpMails } from '../platform/mail/outbox.store.ts';
import { ONLY_NODE } from '../platform/node.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';
import { storageHealth as watchStorage } from '../platform/storage-health.ts';
import type { JobRegister } from '../platform/work/job-register.ts';
import { systemMeasures, systemRoom } from '../system/index.ts';
import { lastBackup } from './care.ts';

declare module '../platform/rooms/assemble.ts' {
  interface Parts {
    jobs: JobRegister;
    deletion: Awaited<ReturnType<typeof deletionGuard>>;
    storageHealth: ReturnType<typeof watchStorage>;
    systemProblems: ReturnType<typeof systemRoom>['problems'];
  }
}

export const storageHealth = declareRoom({
  name: 'storage health',
  needs: ['database', 'config', 'log', 'registry', 'clock'],
  provides: ['storageHealth'],
  open({ database, config, log, registry, clock }) {
    const health = watchStorage({ database, dataFolder: config.dataFolder, log, metrics: registry, clock });
    return { storageHealth: health, stop: health.stop };
  },
});

export const system = declareRoom({
  name: 'system',
  needs: [
    'database',
    'db',
    'bus',
    'clock',
    'log',
    'events',
    'registry',
    'jobs',
    'statements',
    'parameters',
    'branding',
    'access',
    'deletion',
    'storageHealth',
    'probe',
    'config',
    'version',
  ],
  provides: ['systemProblems'],
  open({ database, access, deletion, storageHealth: storage, config, version, ...parts }) {
    const room = systemRoom({
      ...parts,
      applied: async (key) => {
        if (key === 'sessionMinutes' || key === 'sessionHours') await access.shortenSessions();
      },
      lastBackup: () => lastBackup(database),
      deletion: () => deletion.last,
      async discardOutgoing(trx, before) {
        await giveUpMails(trx, before, 'Given up after a restore');
        await dropSends(trx, before);
        await dropDeliveries(trx, before);
        await cancelQueued(trx, before);
      },
      storage: (locale) =>
        storage.problems.filter(({ code }) => code !== 'databaseClock').map((one) => one.envelope(locale).message),
      process: { name: ONLY_NODE, version, roles: [...config.roles] },
    });
    return { ...room, systemProblems: room.problems, measures: systemMeasures(parts.db, parts.clock) };
  },
});
