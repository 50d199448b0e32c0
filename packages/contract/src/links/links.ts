import { CUSTOMER_LEVELS } from '@chargehand/domain';
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, Id, IdParams, Time } from '../schemas.ts';
import { linkActivityEndpoints } from './activity.ts';
import { linkFileEndpoints } from './files.ts';
import { guestEndpoints } from './guests.ts';
import { linkRecordingEndpoints } from './recordings.ts';
import {
  LinkKindWord,
  LinkOptions,
  LinkPage,
  LinkPolicySchema,
  LinkRecording,
  LinkRow,
  NewLink,
  NewTerminal,
} from './schemas.ts';
import { vpnEndpoints } from './vpn.ts';
import { webEndpoints } from './web.ts';

export * from './activity.ts';
export * from './files.ts';
export * from './guests.ts';
export * from './link-ends.ts';
export * from './recordings.ts';
export * from './schemas.ts';
export * from './vpn.ts';
export * from './web.ts';

const path = '/api/auth/sys/links';
const route = { keys: ['auth_device_detail'] } as const;
const RecordingParams = Exact({ id: Id, recordingId: Id });
const ofLink = { object: 'link', from: 'params.id' } as const;

/** Links to devices: terminals, web pages and VPN. */
export const linkEndpoints = {
  ...linkFileEndpoints,
  ...linkActivityEndpoints,
  ...webEndpoints,
  ...vpnEndpoints,
  ...guestEndpoints,
  ...linkRecordingEndpoints,
  requestLink: endpoint({
    id: 'links.request',
    method: 'POST',
    path: '/api/auth/sys/devices/:id/links',
    policy: { route, row: { object: 'device', from: 'params.id' }, level: 'control', remote: 'body.kind' },
    effect: 'control',
    summary: 'Request a link to a device. Unless a second person must approve it, control 7 is sent at once',
    nameZh: '申请远程连接',
    params: IdParams,
    body: NewLink,
    answer: LinkRow,
  }),
  readLinkOptions: endpoint({
    id: 'links.options',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/links/options',
    policy: { route, row: { object: 'device', from: 'params.id' } },
    effect: 'read',
    summary: 'Get which links the caller may request for a device now, and the rules of its customer',
    nameZh: '查询可用的远程连接',
    params: IdParams,
    answer: LinkOptions,
  }),
  listLinks: endpoint({
    id: 'links.list',
    method: 'GET',
    path,
    policy: { route, row: 'scope' },
    effect: 'list',
    summary: 'List the links that have not ended, or those that have, newest first',
    nameZh: '查询远程连接列表',
    query: Exact({
      /** those that have ended, instead of the others */
      ended: Type.Optional(Type.Boolean()),
      deviceId: Type.Optional(Id),
      siteId: Type.Optional(Id),
      issueId: Type.Optional(Id),
      /** the links before this one */
      before: Type.Optional(Id),
      kind: Type.Optional(LinkKindWord),
      /** a part of the name of the user who requested it */
      user: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      /** those requested from this time on, and before the other one */
      from: Type.Optional(Time),
      to: Type.Optional(Time),
      /** those with recordings of terminals */
      recorded: Type.Optional(Type.Boolean()),
    }),
    answer: LinkPage,
  }),
  readLink: endpoint({
    id: 'links.read',
    method: 'GET',
    path: `${path}/:id`,
    policy: { route, row: ofLink },
    effect: 'read',
    summary: 'Get a link',
    nameZh: '查看远程连接',
    params: IdParams,
    answer: LinkRow,
  }),
  approveLink: endpoint({
    id: 'links.approve',
    method: 'POST',
    path: `${path}/:id/approve`,
    policy: { route, row: ofLink, level: 'control', remote: 'row' },
    effect: 'control',
    summary: 'Approve a link as the second person. Control 7 is sent then',
    nameZh: '批准远程连接',
    params: IdParams,
    body: Exact({}),
    answer: LinkRow,
  }),
  restartLink: endpoint({
    id: 'links.restart',
    method: 'POST',
    path: '/api/auth/sys/dev/basic/vpn/restart',
    policy: { route, row: { object: 'link', from: 'body.id' }, level: 'control', remote: 'row' },
    effect: 'control',
    summary: 'End a link, if it has not ended, and request the same one again',
    nameZh: '重启远程连接',
    body: Exact({ id: Id }),
    answer: LinkRow,
  }),
  destroyLink: endpoint({
    id: 'links.destroy',
    method: 'DELETE',
    path: `${path}/:id`,
    policy: { route, row: ofLink, level: 'control' },
    effect: 'delete',
    summary: 'End a link now, and close everything that uses it. Its entry stays in the list of past links',
    nameZh: '结束远程连接',
    params: IdParams,
    answer: LinkRow,
  }),
  openTerminal: endpoint({
    id: 'links.openTerminal',
    method: 'POST',
    path: `${path}/:id/terminals`,
    policy: { route, row: ofLink, level: 'control', remote: 'row' },
    effect: 'control',
    summary: 'Open a terminal in a link of the caller. The answer has the key of its WebSocket',
    nameZh: '打开终端',
    params: IdParams,
    body: NewTerminal,
    answer: Exact({
      key: Type.String(),
      /** of the terminal and its recording */
      id: Id,
    }),
  }),
  listRecordings: endpoint({
    id: 'links.recordings',
    method: 'GET',
    path: `${path}/:id/recordings`,
    policy: { route, row: ofLink },
    effect: 'list',
    summary: 'List the recordings of the terminals of a link',
    nameZh: '查询终端录像',
    params: IdParams,
    answer: Exact({ items: Type.Array(LinkRecording) }),
  }),
  readRecording: endpoint({
    id: 'links.recording',
    method: 'GET',
    path: `${path}/:id/recordings/:recordingId/output`,
    policy: { route, row: ofLink, level: 'control', remote: 'row' },
    effect: 'export',
    summary: 'Get what a terminal showed, as asciicast v2. Logged as an action',
    nameZh: '查看终端录像',
    params: RecordingParams,
    answer: null,
  }),
  readRecordedInput: endpoint({
    id: 'links.recordedInput',
    method: 'GET',
    path: `${path}/:id/recordings/:recordingId/input`,
    policy: { route, who: 'root', row: ofLink },
    effect: 'export',
    summary: 'Get what was typed in a terminal, as asciicast v2; it may contain passwords. Logged as an action',
    nameZh: '查看终端输入记录',
    params: RecordingParams,
    answer: null,
  }),
  readLinkPolicy: endpoint({
    id: 'linkPolicies.read',
    method: 'GET',
    path: '/api/auth/sys/customers/:id/link-policy',
    policy: { route: { keys: ['auth_customer_detail'] }, row: { object: 'customer', from: 'params.id' } },
    effect: 'read',
    summary: 'Get the rules of a customer for links to its devices',
    nameZh: '查看客户的远程连接规则',
    params: IdParams,
    answer: LinkPolicySchema,
  }),
  setLinkPolicy: endpoint({
    id: 'linkPolicies.set',
    method: 'PUT',
    path: '/api/auth/sys/customers/:id/link-policy',
    policy: {
      route: { keys: ['auth_customer_detail'] },
      row: { object: 'customer', from: 'params.id', whole: true },
      level: CUSTOMER_LEVELS.edit,
    },
    effect: 'update',
    summary: 'Set the rules of a customer for links to its devices. They apply to new links',
    nameZh: '设置客户的远程连接规则',
    params: IdParams,
    body: LinkPolicySchema,
    answer: LinkPolicySchema,
  }),
};
