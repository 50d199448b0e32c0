import type { LoginLogRow } from '@chargehand/contract';
import { Segmented, type TableColumnType } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { Static } from 'typebox';
import { call } from '../../shared/api/client.ts';
import { Tag } from '../../shared/ui/tag.tsx';
import { ExactTime } from '../../shared/ui/time-ago.tsx';
import { LogTable } from './log-table.tsx';
import { useLog } from './use-log.ts';

type Login = Static<typeof LoginLogRow>;

/** Sign-ins, also those that failed, and sign-outs with their reason. */
export function LoginLogs() {
  const { t } = useTranslation('audit');
  const { t: common } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const type = ({ '0': 0, '1': 1 } as const)[search.get('type') ?? ''];
  const log = useLog('listLoginLogs', { type }, (stretch, signal) =>
    call('listLoginLogs', { query: { ...stretch, type } }, { signal, quiet: true }),
  );
  const columns: TableColumnType<Login>[] = [
    { title: t('log.at'), width: 160, render: (_, login) => <ExactTime at={login.at} /> },
    { title: t('log.user'), dataIndex: 'userName' },
    { title: t('log.type'), render: (_, login) => t(login.type === 0 ? 'loginTypes.login' : 'loginTypes.logout') },
    {
      title: t('log.result'),
      render: (_, login) => (
        <Tag tone={login.succeeded ? 'idle' : 'faulted'} glyph={login.succeeded ? 'check' : 'cross'}>
          {login.succeeded ? t('log.succeeded') : t('log.failed')}
        </Tag>
      ),
    },
    { title: t('log.reason'), render: (_, login) => (login.reason ? reasonWord(login.reason, t) : '') },
    { title: t('log.address'), render: (_, login) => <span className="mono">{login.address}</span> },
    {
      title: t('log.userAgent'),
      render: (_, login) => (
        <span className="log-summary quiet" title={login.userAgent}>
          {login.userAgent}
        </span>
      ),
    },
  ];
  return (
    <div className="stack">
      <Segmented<'all' | '0' | '1'>
        className="log-types"
        aria-label={t('log.type')}
        value={type === undefined ? 'all' : `${type}`}
        options={[
          { value: 'all', label: common('all') },
          { value: '0', label: t('loginTypes.login') },
          { value: '1', label: t('loginTypes.logout') },
        ]}
        onChange={(next) => setSearch(next === 'all' ? { tab: 'logins' } : { tab: 'logins', type: next })}
      />
      <LogTable label={t('logins')} log={log} columns={columns} empty={t('log.noLogins')} />
    </div>
  );
}

const REASONS = ['authRejected', 'userLogout', 'loggedOut', 'networkTimeout', 'forcedRelogin', 'replaced'] as const;

/** The reason of a sign-out or a refused sign-in (spec §3), in words; one without a word is shown as it came. */
function reasonWord(reason: string, t: ReturnType<typeof useTranslation<'audit'>>['t']): string {
  const known = REASONS.find((one) => one === reason);
  return known ? t(`reasons.${known}`) : reason;
}
