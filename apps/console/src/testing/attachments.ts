import type { AttachmentRow, FolderRow } from '@chargehand/contract';
import { sampleRow } from './sample.ts';
import { showConsole } from './show-console.tsx';
import type { Answers } from './stub-server.ts';

const LEVELS = { readLevel: 5, writeLevel: 4, downloadLevel: 5 } as const;
const may = { write: true, download: true };
export const file = (values: Partial<AttachmentRow>): AttachmentRow =>
  sampleRow('listAttachments', {
    ...{ id: 1, folderId: null, folder: null, customerId: 1, customer: 'Vendor', siteId: null, site: null },
    ...{ name: 'manual.pdf', description: '' },
    ...{ size: 2_048, mediaType: 'application/pdf', shown: true, type: 'normal', ...LEVELS, scan: 'clean', uses: 0 },
    ...{ managedBy: null, uploadedBy: 'root_user', createdAt: '2026-01-02T03:04:05.000Z', deletedAt: null },
    ...{ deletedBy: null, may, ...values },
  });
export const folder = (values: Partial<FolderRow>): FolderRow =>
  sampleRow('listFolders', {
    ...{ id: 7, parentId: null, customerId: 1, customer: 'Vendor', siteId: null, site: null },
    ...{ name: 'Manuals', description: '', ...LEVELS },
    ...{ files: 2, createdBy: 'root_user', createdAt: '2026-01-02T03:04:05.000Z', deletedAt: null, deletedBy: null },
    ...{ revision: '1', may: { write: true }, ...values },
  });

export const FOLDERS = [
  folder({ id: 7, name: 'Manuals', readLevel: 3, writeLevel: 2, downloadLevel: 3 }),
  folder({ id: 8, name: 'Old', parentId: 7 }),
  folder({ id: 9, name: 'Photos' }),
];

function answers(more: Answers = {}): Answers {
  return {
    listFolders: ({ query }) => ({ items: query.trash ? [] : FOLDERS }),
    listAttachments: { items: [file({})], total: 1, scanning: false },
    readQuota: { customerId: 1, files: 3, used: 1_024 ** 3, limit: 4 * 1_024 ** 3 },
    listShares: { items: [], total: 0, oversees: false },
    ...more,
  };
}
export const open = (more: Answers = {}, options: Parameters<typeof showConsole>[1] = {}, path = '') =>
  showConsole(`/manage/attach/list${path}`, { ...options, answers: answers(more) });
