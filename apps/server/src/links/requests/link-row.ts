import type { LinkRow, WithDates } from '@chargehand/contract';
import type { Transaction } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { LinkDevice, LinkRecord } from '../links.store.ts';

/** A device as the action log names it, also after it was removed. */
type LoggedDevice = Pick<LinkDevice, 'name' | 'customerId'> & { id: number | null; siteId: number | null };

/** The device of a link. */
export function deviceOf({ deviceId, deviceName, customerId, siteId }: LinkRecord): LoggedDevice {
  return { id: deviceId, name: deviceName, customerId, siteId };
}

/** Records what a user did with links of a device. */
export function record(trx: Transaction<Database>, caller: Caller, device: LoggedDevice, after: object): Promise<void> {
  return logAction(trx, caller, {
    ...{ operation: 'control', objectType: 'device', objectId: String(device.id ?? ''), objectName: device.name },
    ...{ customerId: device.customerId, siteId: device.siteId, after },
  });
}

/** A link as a caller reads it. */
export function rowOf(caller: Caller, link: LinkRecord): WithDates<LinkRow> {
  return {
    id: link.id,
    kind: link.kind,
    device: { id: link.deviceId, sn: link.deviceSn, name: link.deviceName },
    customerId: link.customerId,
    siteId: link.siteId,
    port: link.port,
    reason: link.reason,
    issueId: link.issueId,
    state: link.state,
    end: link.end,
    endDetail: link.endDetail,
    endedBy: link.endedByName,
    requestedBy: link.requestedByName,
    own: link.requestedBy === caller.userId,
    requestedAt: link.requestedAt,
    minutes: link.minutes,
    until: link.until,
    approval: { needed: link.approvalUntil !== null || link.approvedByName !== null, by: link.approvedByName },
    openedAt: link.openedAt,
    endedAt: link.endedAt,
    address: link.address,
    shellUser: link.shellUser,
    bytesIn: link.bytesIn,
    bytesOut: link.bytesOut,
    recordings: link.recordings,
    executionId: link.startExecution,
  };
}
