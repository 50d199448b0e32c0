import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, IdParams } from '../schemas.ts';

/** The use of a device's SSH server from the user's own computer. */
export const vpnEndpoints = {
  openLinkAccess: endpoint({
    id: 'links.openAccess',
    method: 'POST',
    path: '/api/auth/sys/links/:id/access',
    policy: {
      route: { keys: ['auth_device_detail'] },
      row: { object: 'link', from: 'params.id' },
      level: 'control',
      remote: 'row',
    },
    effect: 'control',
    summary:
      'Get the configuration for ssh with a new key, for an open VPN link of the caller. An earlier key becomes invalid, and its connections are closed',
    nameZh: '获取虚拟专网配置',
    params: IdParams,
    body: Exact({}),
    answer: Exact({
      /** the name of the folder for the files */
      folder: Type.String(),
      /** `private`: only the user may read it, or ssh refuses it */
      files: Type.Array(Exact({ name: Type.String(), text: Type.String(), private: Type.Boolean() })),
    }),
  }),
};
