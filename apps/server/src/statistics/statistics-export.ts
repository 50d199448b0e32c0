import type { Locale, ResultOf, statisticsEndpoints } from '@chargehand/contract';
import { DEVICE_STATUSES } from '@chargehand/domain';
import { STATUS_WORDS } from '../fleet/index.ts';
import { type Cell, xlsxOf } from '../platform/xlsx/xlsx.ts';

type Endpoints = typeof statisticsEndpoints;

interface Words {
  en: string;
  zh: string;
}

const STATUSES: Words = { en: 'Device status hours', zh: '设备状态时长' };
const TRAFFIC: Words = { en: 'Traffic', zh: '流量' };
const BEGIN: Words = { en: 'From', zh: '开始时间' };

/** The prefixes of the file names by language. */
export const statusSheetName = (locale: Locale) => inLocale(STATUSES, locale);
export const trafficSheetName = (locale: Locale) => inLocale(TRAFFIC, locale);

/** The hours of devices in each status, one row per step. */
export function statusWorkbook(
  { steps }: ResultOf<Endpoints['readSiteStatuses']>,
  locale: Locale,
): AsyncIterable<Buffer> {
  const unit = (words: Words) => `${inLocale(words, locale)} (${locale === 'zh-CN' ? '小时' : 'h'})`;
  return workbook(
    statusSheetName(locale),
    [
      ...DEVICE_STATUSES.map((status) => unit(STATUS_WORDS[status])),
      unit({ en: 'Unknown (server down)', zh: '未知（服务器停机）' }),
    ],
    steps.map(({ at, seconds, unknown }) => [
      at,
      [...DEVICE_STATUSES.map((status) => seconds[status]), unknown].map(hours),
    ]),
    locale,
  );
}

/** The bytes from and to devices, one row per step. */
export function trafficWorkbook(
  { steps }: ResultOf<Endpoints['readSiteTraffic']>,
  locale: Locale,
): AsyncIterable<Buffer> {
  return workbook(
    trafficSheetName(locale),
    [
      inLocale({ en: 'Received (bytes)', zh: '接收（字节）' }, locale),
      inLocale({ en: 'Sent (bytes)', zh: '发送（字节）' }, locale),
    ],
    steps.map(({ at, received, sent }) => [at, [received, sent]]),
    locale,
  );
}

function workbook(
  name: string,
  headings: readonly string[],
  rows: readonly (readonly [at: string | Date, figures: readonly number[]])[],
  locale: Locale,
): AsyncIterable<Buffer> {
  const columns = [inLocale(BEGIN, locale), ...headings].map((heading) => ({ heading, width: 20 }));
  const cells: Cell[][] = rows.map(([at, figures]) => [new Date(at), ...figures]);
  return xlsxOf({
    name,
    columns,
    rows: (async function* () {
      yield cells;
    })(),
  });
}

function hours(seconds: number): number {
  return Number((seconds / 3_600).toFixed(4));
}

function inLocale(words: Words, locale: Locale): string {
  return locale === 'zh-CN' ? words.zh : words.en;
}
