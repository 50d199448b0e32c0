import type { Bus } from '../platform/bus/bus.ts';
import type { Events } from '../ports/events.ts';
import type { ShareRecord } from './shares.store.ts';

declare module '../platform/bus/bus.ts' {
  interface BusMessages {
    /** a share was changed, locked or destroyed */
    'share.changed': { shareId: number };
  }
}

type Named = Pick<ShareRecord, 'id' | 'createdBy' | 'customerId'>;

export type ShareChanges = ReturnType<typeof shareChanges>;

/** Announces what happens to shares. Call it after the commit. */
export function shareChanges({ bus, events }: { bus: Bus; events: Events }) {
  const used = ({ id, createdBy, customerId }: Named) =>
    events.publish('share.changed', { id }, { ownerId: createdBy, customerId });
  return {
    /** A share was created or used: the consoles that show it load it again. */
    used,
    /** A share was changed, locked or destroyed: its running downloads and uploads may end. */
    changed(share: Named): void {
      bus.publish('share.changed', { shareId: share.id });
      used(share);
    },
  };
}
