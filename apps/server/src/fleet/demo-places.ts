import type { DemoCustomer } from './seed.store.ts';

/** The invented customers and sites of the demo fleet. All addresses and numbers are examples. */
export const DEMO_CUSTOMERS: readonly DemoCustomer[] = [
  {
    code: 'HARBOUR',
    name: 'Harbour Volt Charging 港湾充电',
    contact: 'Ada Leung',
    address: 'Kwun Tong, Hong Kong',
    country: 'HK',
    sites: [
      {
        code: 'HK-KLB',
        name: 'Kowloon Bay Depot',
        contact: 'Ken Lau',
        phone: '+852 5550 0101',
        address: '18 Wang Fung Street, Kowloon Bay, Hong Kong',
        country: 'HK',
        latitude: 22.3233,
        longitude: 114.2089,
        placeType: 'depot',
      },
      {
        code: 'HK-TKO',
        name: 'Tseung Kwan O Waterfront',
        contact: 'Mandy Ho',
        phone: '+852 5550 0102',
        address: '3 Tong Yin Path, Tseung Kwan O, Hong Kong',
        country: 'HK',
        latitude: 22.3013,
        longitude: 114.2622,
        placeType: 'homes',
      },
      {
        code: 'HK-CWB',
        name: 'Causeway Bay Plaza',
        contact: 'Mandy Ho',
        phone: '+852 5550 0103',
        address: '27 Sugar Street, Causeway Bay, Hong Kong',
        country: 'HK',
        latitude: 22.2801,
        longitude: 114.1868,
        placeType: 'retail',
      },
    ],
  },
  {
    code: 'PENGCHENG',
    name: 'Pengcheng Green Travel 鹏程绿行',
    contact: '林晓东',
    address: '深圳市南山区',
    country: 'CN',
    province: '440000',
    city: '440300',
    sites: [
      {
        code: 'SZ-NS',
        name: '南山科苑充电站',
        contact: '周敏',
        phone: '+86 755 5550 0201',
        address: '深圳市南山区科苑北路 66 号',
        country: 'CN',
        province: '440000',
        city: '440300',
        latitude: 22.5472,
        longitude: 113.9465,
        placeType: 'office',
      },
      {
        code: 'SZ-QH',
        name: '前海湾公交充电站',
        contact: '陈立',
        phone: '+86 755 5550 0202',
        address: '深圳市前海梦海大道 8 号',
        country: 'CN',
        province: '440000',
        city: '440300',
        latitude: 22.5324,
        longitude: 113.8965,
        placeType: 'depot',
      },
      {
        code: 'SZ-LG',
        name: '龙岗大运服务区充电站',
        contact: '陈立',
        phone: '+86 755 5550 0203',
        address: '深圳市龙岗区龙翔大道 9 号',
        country: 'CN',
        province: '440000',
        city: '440300',
        latitude: 22.6996,
        longitude: 114.2202,
        placeType: 'highway',
      },
    ],
  },
  {
    code: 'STRAITS',
    name: 'Straits Parkway Charging',
    contact: 'Farid Rahman',
    address: 'Tampines, Singapore',
    country: 'SG',
    sites: [
      {
        code: 'SG-TAM',
        name: 'Tampines Mall Car Park',
        contact: 'Siti Aminah',
        phone: '+65 5550 0301',
        address: '4 Tampines Walk, Singapore',
        country: 'SG',
        latitude: 1.3525,
        longitude: 103.9447,
        placeType: 'retail',
      },
      {
        code: 'SG-JUR',
        name: 'Jurong Business Park',
        contact: 'Farid Rahman',
        phone: '+65 5550 0302',
        address: '11 Business Park Drive, Singapore',
        country: 'SG',
        latitude: 1.3283,
        longitude: 103.7488,
        placeType: 'office',
      },
    ],
  },
];

/** The sites of two dozen demo devices, so that sites differ in size. More devices repeat it. */
const SITES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 4, 1, 3, 6, 0, 4, 2, 5, 0, 4, 3, 7, 4, 1, 6];

/** The number of the site of a demo device, both counted from 0 in the order above. */
export function siteOfDemoDevice(index: number): number {
  return SITES[index % SITES.length] ?? 0;
}
