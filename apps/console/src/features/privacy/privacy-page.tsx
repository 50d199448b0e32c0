import { Tabs } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Page } from '../../shared/ui/page/page-header.tsx';
import { Acceptances } from './acceptances.tsx';
import { NextVersion } from './next-version.tsx';
import { Versions } from './versions.tsx';
import './privacy.module.css';

const TABS = ['versions', 'next', 'acceptances'] as const;
type Tab = (typeof TABS)[number];

/** The privacy policy: published versions, the draft, and acceptances. */
export default function PrivacyPage() {
  const { t } = useTranslation('privacy');
  const { t: routes } = useTranslation('routes');
  const [search, setSearch] = useSearchParams();
  const tab = TABS.find((one) => one === search.get('tab')) ?? 'versions';
  const go = (next: Tab, more: Record<string, string> = {}) =>
    setSearch(next === 'versions' ? more : { tab: next, ...more }, { replace: true });
  const [written, setWritten] = useState(false);
  return (
    <Page title={routes('privacyPolicy')}>
      <Tabs
        activeKey={tab}
        onChange={(key) => go(key as Tab)}
        items={[
          {
            key: 'versions',
            label: t('tabs.versions'),
            destroyOnHidden: true,
            children: <Versions onAccepted={(version) => go('acceptances', { version: String(version) })} />,
          },
          {
            key: 'next',
            label: t('tabs.next'),
            // Unsaved text is kept while another tab is open.
            destroyOnHidden: !written,
            children: <NextVersion written={written} onWritten={setWritten} onPublished={() => go('versions')} />,
          },
          { key: 'acceptances', label: t('tabs.acceptances'), destroyOnHidden: true, children: <Acceptances /> },
        ]}
      />
    </Page>
  );
}
