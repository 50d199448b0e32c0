import type { LogFile, LoginLogRow, LoginReason as Reason } from '@chargehand/contract';
import { type Levels, mayDownloadUsers } from '@chargehand/domain';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Static } from 'typebox';
import { download } from '../../shared/api/client.ts';
import { useLongList } from '../../shared/hooks/lists/use-list.ts';
import type { ListSpec, WholeQuery } from '../../shared/lib/lists/list-query.ts';
import { useUser } from '../../shared/session/use-user.ts';
import type { DataColumn } from '../../shared/ui/list-page/data-table.tsx';
import { FilterSelect } from '../../shared/ui/list-page/filter-bar.tsx';
import { CardLine, ListCard } from '../../shared/ui/list-page/list-card.tsx';
import { ListSection } from '../../shared/ui/list-page/list-page.tsx';
import { Browser } from '../../shared/ui/values/browser.tsx';
import { ExactTime } from '../../shared/ui/values/time-ago.tsx';
import { FileChoice } from './file-choice.tsx';
import { LOG_FILTERS, LogFilters } from './log-filters.tsx';
import { LoginDetail, LoginReason, LoginResult } from './login-detail.tsx';

type Login = Static<typeof LoginLogRow>;

const TYPES = [0, 1] as const;
const LOGIN_REASONS = ['authRejected', 'loggedOut', 'networkTimeout', 'replaced'] as const satisfies readonly Reason[];
const RESULTS = ['succeeded', 'failed'] as const;
const filters = { ...LOG_FILTERS, type: TYPES, result: RESULTS, reason: LOGIN_REASONS } as const;
const SPEC: ListSpec<typeof filters, never> = { filters, sorts: [] };
type Query = WholeQuery<typeof filters, never>;

function wanted({ result, ...query }: Query) {
  return { ...query, succeeded: result && result === 'succeeded' };
}

/** Sign-ins, including failed ones, and sign-outs with their reason. */
export function LoginLogs() {
  const { t } = useTranslation('audit');
  const mayExport = mayDownloadUsers(useUser().info.role.levels as Levels);
  const list = useLongList(SPEC, 'listLoginLogs', 'before', wanted);
  const [open, setOpen] = useState<Login | null>(null);
  const [format, setFormat] = useState<LogFile>('xlsx');
  const columns: DataColumn<Login, never>[] = [
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
      <ListSection
        label={t('logins')}
        list={list}
        filters={
          <LogFilters list={list}>
            <FilterSelect
              label={t('log.type')}
              options={TYPES.map((value) => ({
                value,
                label: t(value === 0 ? 'loginTypes.login' : 'loginTypes.logout'),
              }))}
              {...list.field('type')}
            />
            <FilterSelect
              label={t('log.result')}
              options={RESULTS.map((value) => ({ value, label: t(`log.${value}`) }))}
              {...list.field('result')}
            />
            <FilterSelect
              label={t('log.reason')}
              options={LOGIN_REASONS.map((value) => ({ value, label: t(`reasons.${value}`) }))}
              {...list.field('reason')}
            />
            {mayExport && <FileChoice value={format} onChange={setFormat} />}
          </LogFilters>
        }
        onExport={
          mayExport
            ? (query, options) => download('exportLoginLogs', { query: { ...wanted(query), format } }, options)
            : undefined
        }
        keep="loginLogs"
        columns={columns}
        empty={t('log.noLogins')}
        onOpen={setOpen}
        compact={(login) => (
          <ListCard title={login.userName} aside={<LoginResult login={login} />}>
            <CardLine end={t(login.type === 0 ? 'loginTypes.login' : 'loginTypes.logout')}>
              <LoginReason login={login} />
            </CardLine>
            <CardLine end={<ExactTime at={login.at} />}>
              <span className="mono">{login.address}</span>
            </CardLine>
          </ListCard>
        )}
      />
      <LoginDetail login={open} onClose={() => setOpen(null)} />
    </div>
  );
}
