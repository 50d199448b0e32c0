import { DICTIONARY_USES_COUNTED } from '@chargehand/contract';
import { countAlarmsOfCode, saveSharedName } from '../alarms/index.ts';
import { dictionariesRoom } from '../dictionaries/index.ts';
import { countPlacesInRegion, shippedRegions } from '../fleet/index.ts';
import { countIssuesOfEnd, countIssuesOfLabel } from '../issues/index.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';
import { DICTIONARY_CHANGED } from '../ports/settings/dictionaries.ts';

const MOST = DICTIONARY_USES_COUNTED;

/** The dictionaries of alarms, issues and places. */
export const dictionaries = declareRoom({
  name: 'dictionaries',
  needs: ['db', 'clock', 'events', 'bus', 'regions'],
  open: ({ bus, regions, ...parts }) =>
    dictionariesRoom({
      ...parts,
      applyAlarmName: saveSharedName,
      shippedRegions,
      async changed(dictionary) {
        if (dictionary === 'regions') await regions.reload();
        bus.publish(DICTIONARY_CHANGED, { dictionary });
      },
      uses: {
        alarmNames: async (db, code) => ({ alarms: await countAlarmsOfCode(db, code, MOST) }),
        causes: async (db, code) => ({ issues: await countIssuesOfEnd(db, 'cause', code, MOST) }),
        regions: (db, code) => countPlacesInRegion(db, code, MOST),
        remedies: async (db, code) => ({ issues: await countIssuesOfEnd(db, 'remedy', code, MOST) }),
        labels: async (db, code) => ({ issues: await countIssuesOfLabel(db, code, MOST) }),
      },
    }),
});
