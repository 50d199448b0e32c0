import { Tabs } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Page } from '../../shared/ui/page/page-header.tsx';
import { Dashboard } from './dashboard.tsx';
import { Jobs } from './jobs.tsx';

/** The state of the product itself, and its scheduled work. */
export default function SystemPage() {
  const { t } = useTranslation('system');
  const { t: routes } = useTranslation('routes');
  const [search, setSearch] = useSearchParams();
  return (
    <Page title={routes('systemDashboard')}>
      <Tabs
        activeKey={search.get('tab') === 'jobs' ? 'jobs' : 'state'}
        onChange={(key) => setSearch(key === 'jobs' ? { tab: 'jobs' } : {}, { replace: true })}
        destroyOnHidden
        items={[
          { key: 'state', label: t('tabs.state'), children: <Dashboard /> },
          { key: 'jobs', label: t('tabs.jobs'), children: <Jobs /> },
        ]}
      />
    </Page>
  );
}
