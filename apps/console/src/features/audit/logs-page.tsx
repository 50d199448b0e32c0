import { Tabs } from 'antd';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router';
import { Page } from '../../shared/ui/page/page-header.tsx';
import { ActionLogs } from './actions/action-logs.tsx';
import { LoginLogs } from './login-logs.tsx';

/** The sign-in log and the action log. `/manage/logs/action/device/7` shows only the history of device 7. */
export default function LogsPage() {
  const { t } = useTranslation('audit');
  const { t: routes } = useTranslation('routes');
  const { type, id } = useParams();
  const [search, setSearch] = useSearchParams();
  const tab = search.get('tab') === 'actions' ? 'actions' : 'logins';
  return (
    <Page title={routes('logsAction')}>
      {type === undefined ? (
        <Tabs
          activeKey={tab}
          onChange={(key) => setSearch(key === 'actions' ? { tab: 'actions' } : {}, { replace: true })}
          destroyOnHidden
          items={[
            { key: 'logins', label: t('logins'), children: <LoginLogs /> },
            { key: 'actions', label: t('actions'), children: <ActionLogs /> },
          ]}
        />
      ) : (
        <ActionLogs objectType={type} objectId={id} />
      )}
    </Page>
  );
}
