import { SITE_STATES } from '@chargehand/domain';
import type { Resource } from '../resource/resource.ts';

/** What users enter about a site, and how its list is filtered and sorted. See resource/README.md. */
export const SITE = {
  fields: {
    code: { kind: 'text', max: 32, required: true, en: 'Code', zh: '编码', width: 18, list: 'shown' },
    name: { kind: 'text', max: 64, required: true, en: 'Name', zh: '名称', width: 32, list: 'shown' },
    contact: { kind: 'text', max: 64, en: 'Contact person', zh: '联系人', width: 20, list: 'shown' },
    phone: { kind: 'text', max: 40, en: 'Contact phone', zh: '联系电话', width: 20 },
    address: { kind: 'lines', max: 200, en: 'Address', zh: '地址', width: 40, list: 'shown' },
    latitude: { kind: 'number', min: -90, max: 90, en: 'Latitude', zh: '纬度', width: 12 },
    longitude: { kind: 'number', min: -180, max: 180, en: 'Longitude', zh: '经度', width: 12 },
    buildDate: { kind: 'day', en: 'Build date', zh: '建成日期', width: 12 },
    image: { kind: 'picture', en: 'Picture', zh: '图片' },
  },
  filters: { search: 'text', customerId: 'number', enabled: 'flag', region: 'text', state: SITE_STATES },
  sorts: ['name', 'code', 'createdAt'],
} as const satisfies Resource;
