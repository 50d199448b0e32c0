import { PLC_VERSION_KEY } from '@chargehand/domain';
import type { TransferReport } from '../../ports/uplink.ts';
import type { Submission } from '../../ports/uplink-items.ts';

/** The reports about firmware and logs in submissions, in order. */
export function transferReports(submissions: readonly Submission[]): TransferReport[] {
  return submissions.flatMap(({ deviceId, events }) =>
    events.flatMap((event): TransferReport[] => {
      switch (event.kind) {
        case 'firmwareStatus':
          return [{ ...of(deviceId, event), kind: 'word', of: 'firmware', word: event.status }];
        case 'diagnosticsStatus':
          return [{ ...of(deviceId, event), kind: 'word', of: 'log', word: event.status }];
        case 'booted':
          return [
            ...(event.softVersion === null
              ? []
              : [{ deviceId, at: event.at, kind: 'version', of: 'software', version: event.softVersion } as const]),
            ...(event.triggered ? [] : [{ deviceId, at: event.at, kind: 'restart' } as const]),
          ];
        case 'parameters':
          return plcVersions(deviceId, event.at, event.entries);
        case 'texts':
          return plcVersions(deviceId, event.at, event.values);
        default:
          return [];
      }
    }),
  );
}

function of(deviceId: number, { at, requestId }: { at: Date; requestId?: string }) {
  return { deviceId, at, requestId };
}

/** Protocols with components put the component before the key. */
const PLC_VERSION = new RegExp(`(^|[./])${PLC_VERSION_KEY}$`);

function plcVersions(
  deviceId: number,
  at: Date,
  entries: readonly { key: string; value: string | null }[],
): TransferReport[] {
  return entries.flatMap(({ key, value }): TransferReport[] =>
    value !== null && PLC_VERSION.test(key) ? [{ deviceId, at, kind: 'version', of: 'plc', version: value }] : [],
  );
}
