import { MOST_CONNECTOR, REPORT_LIMITS, REPORT_STATUSES, SITE_LEVELS } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { LOCALES } from '../constants.ts';
import { endpoint } from '../endpoint.ts';
import { Exact, IdParams, Lines, NullableText, NullableTime, RequestKey, Time, Words } from '../schemas.ts';
import { SharedUpload } from '../shares/schemas.ts';
import { IssueTypeNumber } from './schemas.ts';

const path = '/api/unauth/report';
/** In the headers of mails, so that mail programs open it. */
const unsubscribePath = '/api/unauth/unsubscribe/report';
const open = { route: 'public' } as const;
/** The secret of a link: of a device, of a site, or of one report. */
const ReportToken = Type.String({ minLength: 1, maxLength: 64 });
/** Connectors of OCPP 2 beyond the first of an EVSE have numbers from 257 on. */
const Connector = Type.Integer({ minimum: 1, maximum: MOST_CONNECTOR });
const ReportText = Lines({ minLength: 1, maxLength: REPORT_LIMITS.text });
const UploadParams = Exact({ id: Type.String({ format: 'uuid', maxLength: 36 }) });
const ofReport = Exact({ f: ReportToken });

/** Where a report is about: everything that strangers learn of a device or site. */
export const ReportPlace = Exact({ siteName: Type.String(), deviceName: NullableText });
export type ReportPlace = Static<typeof ReportPlace>;
const NullablePlace = Type.Union([ReportPlace, Type.Null()]);

/** A report as its reporter follows it. */
export const FollowedReport = Exact({
  status: Words(REPORT_STATUSES),
  place: NullablePlace,
  /** what the reporter entered instead of a place */
  placeText: Type.String(),
  connector: Type.Union([Type.Integer(), Type.Null()]),
  type: IssueTypeNumber,
  reportedAt: Time,
  closedAt: NullableTime,
  /** has left a mail address, and wants mails */
  hasMail: Type.Boolean(),
  notify: Type.Boolean(),
  /** what the reporter wrote, and public answers since then; oldest first */
  messages: Type.Array(
    Exact({
      id: Type.Integer(),
      at: Time,
      by: Words(['reporter', 'staff'] as const),
      text: Type.String(),
      /** names of photos and videos */
      files: Type.Array(Type.String()),
    }),
  ),
  repliesLeft: Type.Integer({ minimum: 0 }),
});
export type FollowedReport = Static<typeof FollowedReport>;

/** Reports of people without an account. The token of a label or site is `s`, that of one report is `f`. */
export const publicReportEndpoints = {
  openReport: endpoint({
    id: 'report.open',
    method: 'GET',
    path,
    policy: open,
    effect: 'session',
    summary: 'Get the names of the device or site of a report link',
    nameZh: '打开报修链接',
    query: Exact({ s: ReportToken }),
    answer: ReportPlace,
  }),
  sendReport: endpoint({
    id: 'report.send',
    method: 'POST',
    path,
    policy: open,
    effect: 'session',
    summary: 'Report an issue with a proof of work. Sending it again with the same key returns the same report',
    nameZh: '提交匿名报修',
    body: Exact({
      requestKey: RequestKey,
      /** without it, `sn` or `place` is required */
      s: Type.Optional(ReportToken),
      connector: Type.Optional(Connector),
      type: IssueTypeNumber,
      problem: ReportText,
      sn: Type.Optional(Type.String({ maxLength: 64 })),
      place: Type.Optional(Type.String({ maxLength: 200 })),
      /** a mail address or a phone number */
      contact: Type.Optional(Type.String({ maxLength: 254 })),
      notify: Type.Optional(Type.Boolean()),
      locale: Words(LOCALES),
      /** when it was written, if that was without a connection */
      writtenAt: Type.Optional(Time),
      captchaId: Type.String({ minLength: 1, maxLength: 200 }),
      captcha: Type.Optional(Type.String({ maxLength: 4_096 })),
    }),
    answer: Exact({ follow: Type.String() }),
  }),
  followReport: endpoint({
    id: 'report.follow',
    method: 'GET',
    path: `${path}/followed`,
    policy: open,
    effect: 'session',
    summary: 'Get the status of a report and the public answers to it',
    nameZh: '查看报修进度',
    query: ofReport,
    answer: FollowedReport,
  }),
  replyToReport: endpoint({
    id: 'report.reply',
    method: 'POST',
    path: `${path}/replies`,
    policy: open,
    effect: 'session',
    summary: 'Add a message of the reporter to their report',
    nameZh: '补充报修内容',
    body: Exact({ f: ReportToken, requestKey: RequestKey, message: ReportText }),
    answer: Type.Null(),
  }),
  notifyReporter: endpoint({
    id: 'report.notify',
    method: 'PUT',
    path: `${path}/mails`,
    policy: open,
    effect: 'session',
    summary: 'Turn mails about a report on or off',
    nameZh: '设置报修邮件通知',
    body: Exact({ f: ReportToken, notify: Type.Boolean() }),
    answer: Type.Null(),
  }),
  showReportUnsubscribe: endpoint({
    id: 'report.showUnsubscribe',
    method: 'GET',
    path: unsubscribePath,
    policy: open,
    effect: 'session',
    summary: 'A page with the button that ends the mails about a report (HTML)',
    nameZh: '查看报修邮件退订页面',
    query: ofReport,
    answer: null,
  }),
  unsubscribeReport: endpoint({
    id: 'report.unsubscribe',
    method: 'POST',
    path: unsubscribePath,
    policy: open,
    effect: 'session',
    summary: 'End the mails about a report (RFC 8058)',
    nameZh: '退订报修邮件',
    query: ofReport,
    answer: null,
  }),
  startReportUpload: endpoint({
    id: 'report.startUpload',
    method: 'POST',
    path: `${path}/uploads`,
    policy: open,
    effect: 'session',
    summary: 'Announce a photo or video for the latest message of the reporter',
    nameZh: '开始上传报修照片',
    body: Exact({
      f: ReportToken,
      requestKey: RequestKey,
      name: Type.String({ minLength: 1, maxLength: 255 }),
      size: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    }),
    answer: SharedUpload,
  }),
  readReportUpload: endpoint({
    id: 'report.readUpload',
    method: 'GET',
    path: `${path}/uploads/:id`,
    policy: open,
    effect: 'session',
    summary: 'Get how much of a photo or video was received, to continue it',
    nameZh: '查询报修照片上传进度',
    params: UploadParams,
    query: ofReport,
    answer: SharedUpload,
  }),
  sendReportPart: endpoint({
    id: 'report.sendPart',
    method: 'PUT',
    path: `${path}/uploads/:id`,
    policy: open,
    effect: 'session',
    summary: 'Send the next part of a photo or video as application/octet-stream. The last part completes it',
    nameZh: '上传报修照片分片',
    params: UploadParams,
    query: Exact({ f: ReportToken, offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }) }),
    answer: SharedUpload,
  }),
};

const sys = '/api/auth/sys';
const ReportLink = Exact({ url: Type.String(), createdAt: Time });
const site = { object: 'site', from: 'params.id' } as const;
const device = { object: 'device', from: 'params.id' } as const;

/** The links behind the QR codes for reports. */
export const reportLinkEndpoints = {
  readSiteReportLink: endpoint({
    id: 'reportLinks.readOfSite',
    method: 'GET',
    path: `${sys}/sites/:id/report-link`,
    policy: { route: { keys: ['auth_site_detail'] }, row: site },
    effect: 'read',
    summary: 'Get the link by which anyone can report an issue of a site',
    nameZh: '查看站点报修链接',
    params: IdParams,
    answer: ReportLink,
  }),
  renewSiteReportLink: endpoint({
    id: 'reportLinks.renewOfSite',
    method: 'POST',
    path: `${sys}/sites/:id/report-link/renew`,
    policy: { route: { keys: ['auth_site_edit'] }, row: site, level: SITE_LEVELS.edit },
    effect: 'update',
    summary: 'Replace the report link of a site. Its former link stops working',
    nameZh: '更换站点报修链接',
    params: IdParams,
    answer: ReportLink,
  }),
  readDeviceReportLink: endpoint({
    id: 'reportLinks.readOfDevice',
    method: 'GET',
    path: `${sys}/devices/:id/report-link`,
    policy: { route: { keys: ['auth_device_detail'] }, row: device },
    effect: 'read',
    summary: 'Get the link by which anyone can report an issue of a device',
    nameZh: '查看设备报修链接',
    params: IdParams,
    answer: ReportLink,
  }),
  renewDeviceReportLink: endpoint({
    id: 'reportLinks.renewOfDevice',
    method: 'POST',
    path: `${sys}/devices/:id/report-link/renew`,
    policy: { route: { keys: ['auth_device_edit'] }, row: device, level: 'edit' },
    effect: 'update',
    summary: 'Replace the report link of a device. Printed labels of it stop working for reports',
    nameZh: '更换设备报修链接',
    params: IdParams,
    answer: ReportLink,
  }),
};
