import { MESSAGE_TYPES } from '@chargehand/domain';
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, IdParams } from '../schemas.ts';
import { DecidedSetting, MessageSettingRow } from './messages.ts';

const path = '/api/auth/sys/roles/:id/message-settings';
const row = { object: 'role', from: 'params.id' } as const;
const answer = Exact({ types: Type.Array(DecidedSetting) });

/** How users of a role are notified who have not decided themselves. */
export const roleMessageEndpoints = {
  readRoleMessages: endpoint({
    id: 'roleMessages.read',
    method: 'GET',
    path,
    policy: { route: { keys: ['auth_role_list', 'auth_role_authData'] }, who: 'vendor', row },
    effect: 'read',
    summary: 'Get how users of a role are notified of each type of message by default',
    nameZh: '查看角色默认消息设置',
    params: IdParams,
    answer,
  }),
  saveRoleMessages: endpoint({
    id: 'roleMessages.save',
    method: 'PUT',
    path,
    policy: { route: { keys: ['auth_role_authData'] }, who: 'vendor', row, withinOwnRights: true },
    effect: 'update',
    summary:
      'Set how users of a role are notified by default. Types that are not named follow the general default again',
    nameZh: '保存角色默认消息设置',
    params: IdParams,
    body: Exact({ types: Type.Array(MessageSettingRow, { maxItems: MESSAGE_TYPES.length }) }),
    answer,
  }),
};
