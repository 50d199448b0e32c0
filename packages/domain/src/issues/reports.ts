import { ALARM_LEVELS, type AlarmLevel } from '../alarms/alarms.ts';
import { type ContentNode, type DocumentContent, textOfContent } from '../documents/content.ts';
import { contentPurpose } from '../text/files/files.ts';
import type { IssueRemedy, IssueStatus, IssueType } from './issues.ts';

/** The limits of anonymous reports. */
export const REPORT_LIMITS = {
  /** characters of a description or a reply */
  text: 4_000,
  /** photos of one message; or one video */
  photos: 5,
  videos: 1,
  /** replies of one reporter */
  replies: 50,
  /** of all photos and videos of one reporter: two videos of the largest size and some photos */
  bytes: 500 * 2 ** 20,
  /** new reports of one address in ten minutes */
  perAddress: 20,
  /** new reports in an hour about one device, about one site, and without either */
  perDevice: 30,
  perSite: 100,
  unplaced: 200,
  /** days after closing until the contact of a reporter is deleted */
  contactDays: 90,
} as const;

/** What a reporter reads about the state of their report. */
export const REPORT_STATUSES = ['received', 'working', 'workingAgain', 'fixed', 'closed'] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];

/** Ways an issue can end without anything having been repaired. */
const NOT_FIXED: readonly (IssueRemedy | null)[] = ['none', 'instructed', null];

/** The status of an issue for its reporter: closed is fixed only if something was done about it. */
export function reportStatus(status: IssueStatus, remedy: IssueRemedy | null): ReportStatus {
  if (status === 'closed') return NOT_FIXED.includes(remedy) ? 'closed' : 'fixed';
  return ({ open: 'received', pending: 'working', reopen: 'workingAgain' } as const)[status];
}

/** An open alarm of the device of a report. */
export interface ReportAlarm {
  id: number;
  /** 0: the device itself */
  connector: number;
  level: AlarmLevel;
  raisedAt: Date;
  /** its open issue */
  issueId: number | null;
}

/** An open issue of the device of a report. `connectors`: those that reports in it name; empty if none does. */
export interface ReportIssue {
  id: number;
  type: IssueType;
  connectors: readonly number[];
}

/** Where a report goes: to an existing issue, to a new issue of an alarm, or to a new issue of its own. */
export type ReportTarget = { issueId: number } | { alarmId: number } | null;

/**
 * Decides whether a report is about something known. It joins the most serious open alarm of the same connector or of
 * the whole device; without an alarm, an open issue of the same type that is not about another connector.
 */
export function reportTarget(
  report: { type: IssueType; connector: number | null },
  alarms: readonly ReportAlarm[],
  issues: readonly ReportIssue[],
): ReportTarget {
  const { type, connector } = report;
  // Software and hardware are guesses of the reporter, and an alarm is a fact. `standalone` is not about the device.
  if (type === 4) return null;
  const about = (other: number) => connector === null || connector === 0 || other === 0 || other === connector;
  const [alarm] = alarms
    .filter((one) => about(one.connector))
    .sort(
      (one, other) =>
        ALARM_LEVELS.indexOf(other.level) - ALARM_LEVELS.indexOf(one.level) ||
        other.raisedAt.getTime() - one.raisedAt.getTime() ||
        other.id - one.id,
    );
  if (alarm) return alarm.issueId === null ? { alarmId: alarm.id } : { issueId: alarm.issueId };
  const issue = issues.find((one) => one.type === type && (one.connectors.length === 0 || one.connectors.some(about)));
  return issue ? { issueId: issue.id } : null;
}

/**
 * True for what reporters can leave as a contact: a mail address or a phone number. The server looks at mail addresses
 * more closely.
 */
export function isReporterContact(contact: string): boolean {
  if (contact.includes('@')) return /^[^\s@]+@[^\s@]+$/.test(contact);
  return /^\+?[\d\s()./-]{5,40}$/.test(contact) && /\d{5}/.test(contact.replace(/\D/g, ''));
}

/** The longest title that is made of a description. Characters. */
const TITLE_LENGTH = 80;

/** The title of an issue of a report: the first line of its description, cut at a word. */
export function reportTitle(description: string): string {
  const line = (description.split('\n').find((one) => one.trim() !== '') ?? '').trim().replace(/\s+/gu, ' ');
  const characters = [...line];
  if (characters.length <= TITLE_LENGTH) return line;
  const cut = characters.slice(0, TITLE_LENGTH - 1).join('');
  const word = cut.lastIndexOf(' ');
  return `${word > TITLE_LENGTH / 2 ? cut.slice(0, word) : cut}…`;
}

/** A text with line breaks as a content: a paragraph for each line. */
export function contentOfText(text: string): DocumentContent {
  const paragraph = (line: string): ContentNode =>
    line.trim() === '' ? { type: 'paragraph' } : { type: 'paragraph', content: [{ type: 'text', text: line }] };
  return { type: 'doc', content: text.replace(/\r\n?/g, '\n').trim().split('\n').map(paragraph) };
}

/** The text of a content without the files in it. */
export function plainTextOf(content: DocumentContent): string {
  const blocks = content.content.filter(({ type }) => type !== 'image' && type !== 'video' && type !== 'attachment');
  return blocks.map(textOfContent).join('\n').trim();
}

/** Why a reporter cannot add a file to a message that has `names` already; null if they can. */
export function reportFileFault(names: readonly string[], name: string): 'type' | 'tooMany' | null {
  const purpose = contentPurpose(name);
  if (purpose === 'file') return 'type';
  const videos = names.filter((one) => contentPurpose(one) === 'video').length;
  if (purpose === 'video') return names.length === 0 ? null : 'tooMany';
  return videos > 0 || names.length >= REPORT_LIMITS.photos ? 'tooMany' : null;
}
