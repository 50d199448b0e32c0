import type { LinkEnd } from '@chargehand/domain';

/** Why a link ended, for its users: what happened and how to continue. The errors of spec §8 are among them. */
export const linkEnds: Record<LinkEnd, { en: string; zh: string }> = {
  expired: { en: 'Its time was over.', zh: '连接时长已到。' },
  destroyed: { en: 'Ended by a user.', zh: '已由用户结束。' },
  notApproved: { en: 'No second person approved it in time.', zh: '未在规定时间内获得他人批准。' },
  accessRevoked: {
    en: 'The user who requested it no longer has the permission.',
    zh: '申请人已无远程连接权限。',
  },
  deviceDisabled: { en: 'The device, its site or its customer was disabled.', zh: '设备、所属站点或客户已停用。' },
  deviceOffline: { en: 'The device is offline.', zh: '设备离线。' },
  notSupported: {
    en: 'The device does not support links (control 7).',
    zh: '设备不支持远程连接（控制类型 7）。',
  },
  executionTimeout: {
    en: 'The device did not respond in time. Try again.',
    zh: '设备执行超时，请重试。',
  },
  vpnError: { en: 'The device reported an error.', zh: '设备返回 VPN 错误。' },
  connectFailed: {
    en: 'The device accepted the request but did not connect. It may not reach the port of this server.',
    zh: '设备已接受请求但连接失败，设备可能无法访问服务器端口。',
  },
  closedByDevice: { en: 'The device closed the connection.', zh: '设备已断开连接。' },
  lost: {
    en: 'The connection was lost: the device did not answer for a minute, or the server restarted.',
    zh: '连接已丢失：设备超过一分钟无响应，或服务器已重启。',
  },
};
