import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, IdParams } from '../schemas.ts';

/** The web pages of devices. */
export const webEndpoints = {
  openPages: endpoint({
    id: 'links.openPages',
    method: 'POST',
    path: '/api/auth/sys/links/:id/pages',
    policy: {
      route: { keys: ['auth_device_detail'] },
      row: { object: 'link', from: 'params.id' },
      level: 'control',
      remote: 'row',
    },
    effect: 'control',
    summary:
      'Open the web pages of a device in a link of the caller. The answer has an address for a new tab: it works once, for a minute, and on a domain of its own',
    nameZh: '打开设备网页',
    params: IdParams,
    body: Exact({}),
    answer: Exact({ url: Type.String() }),
  }),
};
