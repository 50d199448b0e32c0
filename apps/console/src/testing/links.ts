import type { LinkOptions, LinkRow } from '@chargehand/contract';
import { sample, sampleRow } from './sample.ts';

/** A link of the user to the device 7. */
export function linkRow(values: Partial<LinkRow> = {}): LinkRow {
  return sampleRow('listLinks', {
    ...{ id: 3, kind: 'ssh', device: { id: 7, sn: 'PILE-7', name: 'Pile 7' }, port: 22, own: true },
    ...{ reason: 'No meter values', requestedBy: 'root_user', minutes: 15, bytesIn: 2_048, bytesOut: 1_024 },
    until: new Date(Date.now() + 600_000).toISOString(),
    ...values,
  });
}

export const NO_WEB = 'The customer does not allow it.';

/** Terminal and VPN can be requested, web pages cannot. */
export function linkOptions(values: Partial<LinkOptions> = {}): LinkOptions {
  return sample('readLinkOptions', {
    kinds: [
      { kind: 'ssh', refusal: null, port: 22 },
      { kind: 'web', refusal: { code: 11502, message: NO_WEB }, port: 80 },
      { kind: 'vpn', refusal: null, port: 22 },
    ],
    policy: { secondPerson: false, hours: null, web: false },
    ...{ defaultMinutes: 15, maxMinutes: 480 },
    ...values,
  });
}
