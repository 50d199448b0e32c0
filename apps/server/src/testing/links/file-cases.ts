import { CODES } from '@chargehand/contract';
import type { EndpointCase, Ground } from '../cases/ground.ts';
import type { Inputs } from '../invoke.ts';
import type { SiteName } from '../world.ts';

const KEY = 'k'.repeat(32);
const TRANSFER = '00000000-0000-4000-8000-000000000000';

/** Files of devices, in a new link without a terminal: only the policy is checked. */
export function fileCases(newLink: (ground: Ground, site: SiteName) => Promise<number>): Record<string, EndpointCase> {
  const inLink = (inputs: (id: number) => Inputs): EndpointCase => ({
    call: async (ground, site) => inputs(await newLink(ground, site)),
    everybody: CODES.terminalOver.code,
  });
  const withBody = (body: object) => inLink((id) => ({ params: { id }, body: { key: KEY, ...body } }));
  const ofTransfer = { transferId: TRANSFER };
  return {
    'links.listFiles': inLink((id) => ({ params: { id }, query: { key: KEY } })),
    'links.createFolder': withBody({ path: '/tmp/new' }),
    'links.renameFile': withBody({ path: '/tmp/one', to: '/tmp/two' }),
    'links.removeFile': withBody({ path: '/tmp/one' }),
    'links.transfers': inLink((id) => ({ params: { id }, query: { key: KEY } })),
    'links.startDownload': withBody({ path: '/tmp/one' }),
    'links.download': inLink((id) => ({ params: { id, ...ofTransfer }, query: { key: KEY } })),
    'links.startUpload': withBody({ path: '/tmp/one', size: 1 }),
    'links.upload': inLink((id) => ({ params: { id, ...ofTransfer }, query: { key: KEY } })),
    'links.sendUpload': inLink((id) => ({ params: { id, ...ofTransfer }, query: { key: KEY, offset: 0 } })),
    'links.cancelTransfer': inLink((id) => ({ params: { id, ...ofTransfer }, body: { key: KEY } })),
  };
}
