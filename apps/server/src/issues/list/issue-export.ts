import type { Locale } from '@chargehand/contract';
import { type DictionaryEntry, ISSUE_PRIORITIES, type IssueStatus, type IssueType } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { readDictionary, readLabelNames } from '../../dictionaries/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { ListPosition } from '../../platform/http/serve/list-queries.ts';
import type { Workbook } from '../../platform/http/serve/serve-workbook.ts';
import { type ExportColumn, inLocale, listWorkbook, type Words } from '../../platform/xlsx/list-export.ts';
import { type ExportedIssue, type IssueFilters, listIssuesAfter } from './issues.store.ts';
import { type EnteredFilters, enteredFilters } from './list.service.ts';

const SHEET: Words = { en: 'Issues', zh: '问题' };
const TYPES: Record<IssueType, Words> = {
  1: { en: 'Charging', zh: '充电问题' },
  2: { en: 'Software', zh: '软件缺陷' },
  3: { en: 'Hardware', zh: '硬件缺陷' },
  4: { en: 'Not about a device', zh: '与设备无关' },
  5: { en: 'Other', zh: '其他' },
};
const STATUSES: Record<IssueStatus, Words> = {
  open: { en: 'Open', zh: '待处理' },
  pending: { en: 'Pending', zh: '处理中' },
  closed: { en: 'Closed', zh: '已关闭' },
  reopen: { en: 'Reopened', zh: '重新打开' },
};
const PRIORITIES = Object.fromEntries(Object.entries(ISSUE_PRIORITIES).map(([name, priority]) => [priority, name]));
const MINUTE_MS = 60_000;
const minutes = (ms: number | null) => (ms === null ? null : Math.round(ms / MINUTE_MS));

/** An issue with the names of its labels, cause and remedy. */
interface Row extends ExportedIssue, ListPosition {
  labelNames: Words[];
  causeName: Words | null;
  remedyName: Words | null;
}

/** The exported columns. */
const COLUMNS: readonly ExportColumn<Row>[] = [
  { en: 'Number', zh: '编号', width: 10, cell: ({ key }) => key },
  { en: 'Title', zh: '标题', width: 40, cell: ({ title }) => title },
  { en: 'Status', zh: '状态', width: 12, cell: ({ status }, locale) => inLocale(STATUSES[status], locale) },
  { en: 'Priority', zh: '优先级', width: 10, cell: ({ priority }) => PRIORITIES[priority] ?? '' },
  { en: 'Type', zh: '类型', width: 16, cell: ({ type }, locale) => inLocale(TYPES[type], locale) },
  { en: 'Labels', zh: '标签', width: 24, cell: ({ labelNames }, locale) => inWords(labelNames, locale) },
  { en: 'Assignee', zh: '负责人', width: 20, cell: ({ assignee }) => assignee?.name ?? null },
  { en: 'Due', zh: '截止时间', width: 20, cell: ({ dueAt }) => dueAt },
  { en: 'Customer', zh: '客户', width: 28, cell: ({ customerName }) => customerName },
  { en: 'Site', zh: '站点', width: 28, cell: ({ siteName }) => siteName },
  { en: 'Device', zh: '设备', width: 28, cell: ({ deviceName }) => deviceName },
  { en: 'SN', zh: 'SN', width: 24, cell: ({ deviceSn }) => deviceSn },
  { en: 'Alarm code', zh: '告警码', width: 24, cell: ({ alarmCode }) => alarmCode },
  { en: 'Occurred', zh: '发生时间', width: 20, cell: ({ occurredAt }) => occurredAt },
  { en: 'Reported', zh: '上报时间', width: 20, cell: ({ createdAt }) => createdAt },
  { en: 'Reported by', zh: '上报人', width: 20, cell: ({ createdBy }) => createdBy },
  { en: 'Closed', zh: '关闭时间', width: 20, cell: ({ closedAt }) => closedAt },
  { en: 'Response (min)', zh: '响应时长（分钟）', width: 16, cell: ({ responseMs }) => minutes(responseMs) },
  { en: 'Resolution (min)', zh: '解决时长（分钟）', width: 16, cell: ({ resolutionMs }) => minutes(resolutionMs) },
  { en: 'Cause', zh: '原因', width: 20, cell: ({ causeName }, locale) => causeName && inLocale(causeName, locale) },
  { en: 'About the cause', zh: '原因说明', width: 32, cell: ({ causeText }) => causeText },
  {
    en: 'Remedy',
    zh: '处理措施',
    width: 20,
    cell: ({ remedyName }, locale) => remedyName && inLocale(remedyName, locale),
  },
  { en: 'About the remedy', zh: '措施说明', width: 32, cell: ({ remedyText }) => remedyText },
];

function inWords(names: readonly Words[], locale: Locale): string {
  return names.map((name) => inLocale(name, locale)).join(', ');
}

function nameOf(entries: ReadonlyMap<string, DictionaryEntry>, code: string | null): Words | null {
  if (code === null) return null;
  const entry = entries.get(code);
  return entry ? { en: entry.nameEn, zh: entry.nameZh } : { en: code, zh: code };
}

/** The whole filtered list of a caller as a workbook, newest first. */
export function issueWorkbook(db: Kysely<Database>, caller: Caller, locale: Locale, query: EnteredFilters): Workbook {
  let filters: IssueFilters | undefined;
  return listWorkbook(SHEET, locale, COLUMNS, async (after, limit) => {
    filters ??= await enteredFilters(db, query);
    const [issues, causes, remedies, labels] = await Promise.all([
      listIssuesAfter(db, caller, filters, after?.id ?? null, limit),
      readDictionary(db, 'causes'),
      readDictionary(db, 'remedies'),
      readLabelNames(db),
    ]);
    return issues.map((issue) => ({
      ...issue,
      labelNames: issue.labels.map(labels.nameOf),
      ...{ position: '', causeName: nameOf(causes, issue.cause), remedyName: nameOf(remedies, issue.remedy) },
    }));
  });
}
