import { Tabs } from 'antd';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router';
import { Page } from '../../shared/ui/page/page-header.tsx';
import { ActionLogs } from './actions/action-logs.tsx';
import { LoginLogs } from './login-logs.tsx';
import css from './logs.module.css';

/** The action log and the sign-in log. `/manage/logs/action/device/7` shows only the history of device 7. */
export default function LogsPage() {
  const { t } = useTranslation('audit');
  const { t: routes } = useTranslation('routes');
  const { type, id } = useParams();
  const [search, setSearch] = useSearchParams();
  const tab = search.get('tab') === 'logins' && type === undefined ? 'logins' : 'actions';
  return (
    <Page title={routes('logsAction')}>
      {type === undefined ? (
        <Tabs
          className={css.logsTabs}
          activeKey={tab}
          onChange={(key) => setSearch(key === 'logins' ? { tab: 'logins' } : {}, { replace: true })}
          destroyOnHidden
          items={[
            { key: 'actions', label: t('actions'), children: <ActionLogs /> },
            { key: 'logins', label: t('logins'), children: <LoginLogs /> },
          ]}
        />
      ) : (
        <ActionLogs objectType={type} objectId={id} />
      )}
    </Page>
  );
}
