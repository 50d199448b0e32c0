import { Tabs } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Page } from '../../../shared/ui/page/page-header.tsx';
import { ConnectionAttempts } from './connection-attempts.tsx';
import { WaitingDevices } from './waiting-devices.tsx';

/** Waiting devices, and rejected connection attempts with their reason. */
export default function WaitingPage() {
  const { t } = useTranslation('fleet');
  const { t: routes } = useTranslation('routes');
  const [search, setSearch] = useSearchParams();
  const tab = search.get('tab') === 'attempts' ? 'attempts' : 'devices';
  return (
    <Page title={routes('waiting')} note={t('waiting.note')}>
      <Tabs
        activeKey={tab}
        onChange={(key) => setSearch(key === 'attempts' ? { tab: 'attempts' } : {}, { replace: true })}
        destroyOnHidden
        items={[
          {
            key: 'devices',
            label: t('waiting.tabs.devices'),
            children: (
              <div className="stack">
                <WaitingDevices />
              </div>
            ),
          },
          {
            key: 'attempts',
            label: t('waiting.tabs.attempts'),
            children: (
              <div className="stack">
                <ConnectionAttempts />
              </div>
            ),
          },
        ]}
      />
    </Page>
  );
}
