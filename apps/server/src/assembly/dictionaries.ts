import { DICTIONARY_USES_COUNTED } from '@chargehand/contract';
import { countAlarmsOfCode, saveSharedName } from '../alarms/index.ts';
import { type DictionariesParts, dictionariesRoom } from '../dictionaries/index.ts';
import { countIssuesOfEnd, countIssuesOfLabel } from '../issues/index.ts';
import type { Room } from '../platform/room.ts';

/** The dictionaries of alarms and issues. */
export function dictionaries(parts: Pick<DictionariesParts, 'db' | 'clock' | 'events'>): Room {
  const most = DICTIONARY_USES_COUNTED;
  return dictionariesRoom({
    ...parts,
    applyAlarmName: saveSharedName,
    uses: {
      alarmNames: async (db, code) => ({ alarms: await countAlarmsOfCode(db, code, most) }),
      causes: async (db, code) => ({ issues: await countIssuesOfEnd(db, 'cause', code, most) }),
      remedies: async (db, code) => ({ issues: await countIssuesOfEnd(db, 'remedy', code, most) }),
      labels: async (db, code) => ({ issues: await countIssuesOfLabel(db, code, most) }),
    },
  });
}
