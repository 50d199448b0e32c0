import { Tabs } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useUser } from '../../../shared/session/use-user.ts';
import { Page } from '../../../shared/ui/page/page-header.tsx';
import { SendsTab } from './sends-tab.tsx';
import { TemplatesTab } from './templates-tab.tsx';
import { WebhooksTab } from './webhooks-tab.tsx';

/** How messages leave the product: webhooks, their texts, and what was sent. */
export default function ChannelsPage() {
  const { t } = useTranslation('channels');
  const { t: routes } = useTranslation('routes');
  const { user } = useUser();
  const [search, setSearch] = useSearchParams();
  // The texts are the same for all customers.
  const templates = user.root || user.platformVendor;
  const tabs = [
    { key: 'webhooks', label: t('webhooks'), children: <WebhooksTab /> },
    ...(templates ? [{ key: 'templates', label: t('templates'), children: <TemplatesTab /> }] : []),
    { key: 'sends', label: t('sendLog'), children: <SendsTab /> },
  ];
  const tab = tabs.find(({ key }) => key === search.get('tab'))?.key ?? 'webhooks';
  return (
    <Page title={routes('messageChannels')} note={t('note')}>
      <Tabs
        activeKey={tab}
        onChange={(key) => setSearch(key === 'webhooks' ? {} : { tab: key }, { replace: true })}
        destroyOnHidden
        items={tabs}
      />
    </Page>
  );
}
