import { endpoint } from '../endpoint.ts';
import { Exact, Id, Words } from '../schemas.ts';

const path = '/api/auth/sys/links/:id';
const route = { keys: ['auth_device_detail'] } as const;
const ofLink = { object: 'link', from: 'params.id' } as const;

/** `changed`: rows of the recording were changed, removed or added after they were stored. */
export const RECORDING_SEALS = ['unchanged', 'changed'] as const;

/** Recordings of links, as evidence. */
export const linkRecordingEndpoints = {
  checkRecording: endpoint({
    id: 'links.checkRecording',
    method: 'GET',
    path: `${path}/recordings/:recordingId/seal`,
    policy: { route, row: ofLink },
    effect: 'read',
    summary: 'Check whether a recording has changed since it was stored',
    nameZh: '校验终端录像',
    params: Exact({ id: Id, recordingId: Id }),
    answer: Exact({ seal: Words(RECORDING_SEALS) }),
  }),
};
