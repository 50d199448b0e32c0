import type { LoginLogRow } from '@chargehand/contract';
import { type Levels, mayDownloadUsers } from '@chargehand/domain';
import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Static } from 'typebox';
import { call, download } from '../../shared/api/client.ts';
import { useListQuery } from '../../shared/hooks/use-list-query.ts';
import type { ListSpec } from '../../shared/lib/list-query.ts';
import { useUser } from '../../shared/session/use-user.ts';
import { Browser } from '../../shared/ui/browser.tsx';
import { ExportButton } from '../../shared/ui/export-button.tsx';
import { ExactTime } from '../../shared/ui/time-ago.tsx';
import { calledWith, LogFilters } from './log-filters.tsx';
import { type LogColumn, LogTable } from './log-table.tsx';
import { LoginDetail, LoginReason, LoginResult } from './login-detail.tsx';
import { useLog } from './use-log.ts';

type Login = Static<typeof LoginLogRow>;

const filters = {
  userName: 'text',
  type: 'number',
  result: 'text',
  customerId: 'number',
  from: 'text',
  to: 'text',
} as const;
const SPEC: ListSpec<typeof filters, never> = { filters, sorts: [] };
const RESULTS = { succeeded: true, failed: false } as const;

/** Sign-ins, also those that failed, and sign-outs with their reason. */
export function LoginLogs() {
  const { t } = useTranslation('audit');
  const mayExport = mayDownloadUsers(useUser().info.role.levels as Levels);
  const list = useListQuery(SPEC);
  const type = ([0, 1] as const).find((one) => one === list.query.type);
  const result = (['succeeded', 'failed'] as const).find((one) => one === list.query.result);
  const narrowed = { ...calledWith(list.query), type, succeeded: result && RESULTS[result] };
  const log = useLog('listLoginLogs', narrowed, (stretch, signal) =>
    call('listLoginLogs', { query: { ...stretch, ...narrowed } }, { signal, quiet: true }),
  );
  const [open, setOpen] = useState<Login | null>(null);
  const columns: LogColumn<Login>[] = [
    { name: 'at', always: true, title: t('log.at'), width: 160, render: (_, login) => <ExactTime at={login.at} /> },
    { name: 'user', title: t('log.user'), dataIndex: 'userName' },
    {
      name: 'type',
      title: t('log.type'),
      render: (_, login) => t(login.type === 0 ? 'loginTypes.login' : 'loginTypes.logout'),
    },
    {
      name: 'result',
      title: t('log.result'),
      render: (_, login) => <LoginResult login={login} />,
    },
    {
      name: 'reason',
      title: t('log.reason'),
      render: (_, login) => <LoginReason login={login} />,
    },
    { name: 'address', title: t('log.address'), render: (_, login) => <span className="mono">{login.address}</span> },
    {
      name: 'userAgent',
      title: t('log.userAgent'),
      render: (_, login) => <Browser userAgent={login.userAgent} />,
    },
  ];
  return (
    <div className="stack">
      <div className="log-bar">
        <LogFilters filters={list.query} filtered={list.filtered} change={list.change} clear={list.clear}>
          <Select<0 | 1>
            allowClear
            value={type}
            placeholder={t('log.type')}
            aria-label={t('log.type')}
            options={[
              { value: 0, label: t('loginTypes.login') },
              { value: 1, label: t('loginTypes.logout') },
            ]}
            onChange={(next: 0 | 1 | undefined) => list.change({ type: next })}
          />
          <Select<keyof typeof RESULTS>
            allowClear
            value={result}
            placeholder={t('log.result')}
            aria-label={t('log.result')}
            options={[
              { value: 'succeeded', label: t('log.succeeded') },
              { value: 'failed', label: t('log.failed') },
            ]}
            onChange={(next: string | undefined) => list.change({ result: next })}
          />
        </LogFilters>
        {mayExport && <ExportButton fetch={(options) => download('exportLoginLogs', { query: narrowed }, options)} />}
      </div>
      <LogTable
        label={t('logins')}
        keep="loginLogs"
        log={log}
        columns={columns}
        empty={t('log.noLogins')}
        filtered={list.filtered}
        onClear={list.clear}
        onOpen={setOpen}
        compact={(login) => (
          <div className="log-card">
            <span className="log-card-line">
              <strong>{login.userName}</strong>
              <span className="quiet">{t(login.type === 0 ? 'loginTypes.login' : 'loginTypes.logout')}</span>
              <LoginResult login={login} />
            </span>
            <span>
              <LoginReason login={login} />
            </span>
            <span className="log-card-line quiet">
              <span className="mono">{login.address}</span>
              <ExactTime at={login.at} />
            </span>
          </div>
        )}
      />
      <LoginDetail login={open} onClose={() => setOpen(null)} />
    </div>
  );
}
