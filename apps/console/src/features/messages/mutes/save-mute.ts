import type { MessageMute } from '@chargehand/contract';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';

/** A device or site that can be muted. */
export interface MutePlace {
  kind: 'device' | 'site';
  id: number;
  name: string;
}

/** The device or site of a mute. */
export function placeOf({ deviceId, siteId, name }: MessageMute): MutePlace {
  return deviceId === null ? { kind: 'site', id: siteId ?? 0, name } : { kind: 'device', id: deviceId, name };
}

/** Mutes a device or site for the user until a time; null ends it. @throws ApiProblem */
export async function saveMute({ kind, id }: MutePlace, until: string | null): Promise<void> {
  await call(kind === 'device' ? 'muteDevice' : 'muteSite', { params: { id }, body: { until } }, { quiet: true });
  await refresh('listMessageMutes', 'explainInbox');
}
