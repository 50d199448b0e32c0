import { endpoint } from './endpoint.ts';

export const supportEndpoints = {
  downloadSupportBundle: endpoint({
    id: 'support.bundle',
    method: 'GET',
    path: '/api/auth/sys/support-bundle',
    policy: { route: { keys: ['auth_system'] }, who: 'root', row: 'shared' },
    effect: 'export',
    summary: 'Download versions, settings without secrets, sizes, errors and metrics of the server; root only',
    nameZh: '下载支持包',
    answer: null,
  }),
};
