import { connectorNumber } from '@chargehand/domain';
import type { UplinkEvent } from '../../ports/uplink.ts';
import { type CallContext, type Handled, plain } from '../ocpp/dialect.ts';

/** BatterySwapRequest of OCPP 2.1 part 2 (S01 to S03). */
interface BatterySwap {
  eventType: 'BatteryIn' | 'BatteryOut' | 'BatteryOutTimeout';
  requestId: number;
  batteryData: { evseId: number; serialNumber: string; soC: number; soH: number }[];
}

/** A battery that was offered was not removed from its slot. */
const NOT_TAKEN = 'BatterySwap.OutTimeout';

/**
 * Each slot of a swap station is an EVSE. The battery in the slot is data of that connector. A battery that was not
 * removed is an alarm until the next swap at the same slot.
 */
export function batterySwap({ eventType, batteryData }: BatterySwap, { receivedAt }: CallContext): Handled {
  const notes: string[] = [];
  const slots = new Map<number, BatterySwap['batteryData'][number]>();
  let named = 0;
  for (const battery of batteryData) {
    const connector = connectorNumber(battery.evseId);
    if (connector === null) {
      notes.push(`EVSE ${battery.evseId} is not a valid EVSE number; its battery is left out`);
      continue;
    }
    named += 1;
    slots.set(connector, battery);
  }
  // A slot holds one battery; each stored alarm of the same slot would wait for the one before.
  if (named > slots.size)
    notes.push(`batteries left out because another one follows for the same EVSE: ${named - slots.size}`);
  const events: UplinkEvent[] = [];
  for (const [connector, { serialNumber, soC, soH }] of slots) {
    const place = { connector, at: receivedAt };
    const present = eventType !== 'BatteryOut';
    events.push(
      {
        ...{ kind: 'texts', ...place, receivedAt },
        values: [
          { key: 'BatterySwap.Event', value: eventType },
          { key: 'BatterySwap.SerialNumber', value: present ? serialNumber : '' },
        ],
      },
      {
        ...{ kind: 'reading', ...place, receivedAt, transactionId: null },
        values: [
          { key: 'SoC', unit: 'Percent', counter: false, value: soC },
          { key: 'BatterySwap.SoH', unit: 'Percent', counter: false, value: soH },
        ],
      },
      {
        ...{ kind: 'alarm', ...place, code: NOT_TAKEN, alarmKind: 'alarm', level: 'OA' },
        active: eventType === 'BatteryOutTimeout',
        info: eventType === 'BatteryOutTimeout' ? serialNumber : null,
      },
    );
  }
  return { ...plain({}, events), notes };
}
