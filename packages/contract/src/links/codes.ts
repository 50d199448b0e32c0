import type { CodeEntry } from '../operations/message.ts';
import { LINK_FILE_CODES } from './file-codes.ts';

export const LINK_CODES = {
  linkNotSupported: {
    code: 11501,
    en: 'Devices of the model {model} do not support this kind of link. The model can be changed under Device models.',
    zh: '型号 {model} 的设备不支持此类远程连接，可在设备型号中修改。',
  },
  linkPagesForbidden: {
    code: 11502,
    en: 'The customer does not allow opening the web pages of its devices.',
    zh: '该客户不允许打开设备的 WEB 页面。',
  },
  linkOutsideHours: {
    code: 11503,
    en: 'The customer allows links to its devices only from {from} to {until}.',
    zh: '该客户仅允许在 {from} 至 {until} 期间远程连接设备。',
  },
  linkTooMany: {
    code: 11504,
    en: 'The device already has {most} links. End one of them first.',
    zh: '该设备已有 {most} 个远程连接，请先结束其中一个。',
  },
  linkApprovedBySelf: {
    code: 11505,
    en: 'A second person must approve the link. You requested it yourself.',
    zh: '该远程连接须由其他人员批准，申请人不能自行批准。',
  },
  linkNotWaiting: {
    code: 11506,
    en: 'The link does not wait for approval any more.',
    zh: '该远程连接已不在待批准状态。',
  },
  linkOver: {
    code: 11507,
    en: 'The link has ended.',
    zh: '该远程连接已结束。',
  },
  linkNotOpen: {
    code: 11509,
    en: 'The link is not open.',
    zh: '该远程连接尚未建立。',
  },
  terminalFailed: {
    code: 11510,
    en: 'The device did not open a terminal. Check that its SSH server listens on port {port}.',
    zh: '终端打开失败，请确认设备的 SSH 服务正在监听端口 {port}。',
  },
  terminalSignIn: {
    code: 11511,
    en: 'The device refused the user name or the password.',
    zh: '设备拒绝了该用户名或密码。',
  },
  terminalsFull: {
    code: 11512,
    en: 'The link already has {most} terminals. Close one of them first.',
    zh: '该远程连接已打开 {most} 个终端，请先关闭其中一个。',
  },
  pagesOff: {
    code: 11520,
    en: 'Web pages of devices are off on this server: it needs a domain for them (CHARGEHAND_LINKS_DOMAIN).',
    zh: '此服务器未启用设备 WEB 页面，须先配置专用域名（CHARGEHAND_LINKS_DOMAIN）。',
  },
  terminalKeyRefused: {
    code: 11513,
    en: 'The device refused the one-time key of its user {user}. Sign in with a user name and a password.',
    zh: '设备拒绝了用户 {user} 的一次性密钥，请使用用户名和密码登录。',
  },
  terminalOver: {
    code: 11560,
    en: 'The terminal has ended.',
    zh: '该终端已结束。',
  },
  watchersFull: {
    code: 11561,
    en: 'Already {most} users watch this terminal.',
    zh: '该终端的旁观人数已达上限（{most} 人）。',
  },
  guestsFull: {
    code: 11562,
    en: 'There are already {most} guests or invitations. End one of them first.',
    zh: '访客和邀请数已达上限（{most} 个），请先结束其中一个。',
  },
  guestTaken: {
    code: 11563,
    en: 'Somebody else is using this invitation. Ask the person who sent it for one of your own.',
    zh: '该邀请正由他人使用，请向发送者索取新的邀请。',
  },
  guestNotOwn: {
    code: 11564,
    en: 'Only the user of the link can invite guests and change what they may do.',
    zh: '仅远程连接的使用者可以邀请访客或更改其权限。',
  },
  linksClosed: {
    code: 11508,
    en: 'Links to devices are off on this server (CHARGEHAND_LINKS_PORT).',
    zh: '此服务器未启用远程连接（CHARGEHAND_LINKS_PORT）。',
  },
  ...LINK_FILE_CODES,
} as const satisfies Record<string, CodeEntry>;
