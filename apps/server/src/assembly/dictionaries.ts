import { DICTIONARY_USES_COUNTED } from '@chargehand/contract';
import { countAlarmsOfCode, saveSharedName } from '../alarms/index.ts';
import { type DictionariesParts, dictionariesRoom } from '../dictionaries/index.ts';
import { countPlacesInRegion, type Regions, shippedRegions } from '../fleet/index.ts';
import { countIssuesOfEnd, countIssuesOfLabel } from '../issues/index.ts';
import type { Bus } from '../platform/bus/bus.ts';
import type { Room } from '../platform/room.ts';
import { DICTIONARY_CHANGED } from '../ports/settings/dictionaries.ts';

/** The dictionaries of alarms, issues and places. */
export function dictionaries(
  parts: Pick<DictionariesParts, 'db' | 'clock' | 'events'> & { bus: Bus; regions: Pick<Regions, 'reload'> },
): Room {
  const most = DICTIONARY_USES_COUNTED;
  return dictionariesRoom({
    ...parts,
    applyAlarmName: saveSharedName,
    shippedRegions,
    async changed(dictionary) {
      if (dictionary === 'regions') await parts.regions.reload();
      parts.bus.publish(DICTIONARY_CHANGED, { dictionary });
    },
    uses: {
      alarmNames: async (db, code) => ({ alarms: await countAlarmsOfCode(db, code, most) }),
      causes: async (db, code) => ({ issues: await countIssuesOfEnd(db, 'cause', code, most) }),
      regions: (db, code) => countPlacesInRegion(db, code, most),
      remedies: async (db, code) => ({ issues: await countIssuesOfEnd(db, 'remedy', code, most) }),
      labels: async (db, code) => ({ issues: await countIssuesOfLabel(db, code, most) }),
    },
  });
}
