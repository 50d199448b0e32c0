import type { Resource } from '../resource/resource.ts';

/** What users enter about a customer, and how its list is filtered and sorted. See resource/README.md. */
export const CUSTOMER = {
  fields: {
    code: { kind: 'text', max: 32, required: true, en: 'Code', zh: '编码', width: 18, list: 'shown' },
    name: { kind: 'text', max: 64, required: true, en: 'Name', zh: '名称', width: 32, list: 'shown' },
    /** begins the keys of its issues, such as `HVC` in `HVC-5` */
    issuePrefix: { kind: 'text', max: 16, en: 'Issue prefix', zh: '问题编号前缀', width: 14 },
    logo: { kind: 'picture', en: 'Logo', zh: '徽标' },
    contact: { kind: 'text', max: 64, en: 'Contact', zh: '联系人', width: 20, list: 'shown' },
    address: { kind: 'lines', max: 200, en: 'Address', zh: '地址', width: 40, list: 'shown' },
    readOnly: { kind: 'flag', en: 'Read-only', zh: '只读', width: 10 },
  },
  filters: { search: 'text', enabled: 'flag', region: 'text' },
  sorts: ['name', 'code', 'createdAt'],
} as const satisfies Resource;
