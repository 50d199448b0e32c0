import type { Answer } from '../shared/api/client.ts';
import { sample } from './sample.ts';

/** A device with which the user may do everything. */
export function deviceDetail(values: Partial<Answer<'readDevice'>> = {}): Answer<'readDevice'> {
  return sample('readDevice', {
    ...{ id: 7, sn: 'PILE-7', name: 'Pile 7', siteId: 4, siteName: 'North quay', customerId: 2, customerName: 'North' },
    ...{ deviceModelId: 8, deviceModelName: 'World pile', type: 1, enabled: true, connected: true, status: 'idle' },
    ...{ protocol: 'ocpp1.6', connectedAt: '2026-01-01T00:00:00Z', revision: 'r1' },
    may: { edit: true, control: true, readParameters: true, setParameters: true, download: true },
    ...values,
  });
}
