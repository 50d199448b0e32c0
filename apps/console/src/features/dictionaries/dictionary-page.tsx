import { DICTIONARIES } from '@chargehand/domain';
import { Tabs } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Page } from '../../shared/ui/page/page-header.tsx';
import { DictionaryTab } from './dictionary-tab.tsx';
import { RegionsTab } from './regions-tab.tsx';

/** The names that the installation can change, one tab for each dictionary. */
export default function DictionaryPage() {
  const { t } = useTranslation('dictionary');
  const { t: routes } = useTranslation('routes');
  const [search, setSearch] = useSearchParams();
  const shown = DICTIONARIES.find((one) => one === search.get('tab')) ?? DICTIONARIES[0];
  return (
    <Page title={routes('dictionary')}>
      <Tabs
        activeKey={shown}
        onChange={(key) => setSearch(key === DICTIONARIES[0] ? {} : { tab: key }, { replace: true })}
        destroyOnHidden
        items={DICTIONARIES.map((dictionary) => ({
          ...{ key: dictionary, label: t(`tabs.${dictionary}`) },
          children: dictionary === 'regions' ? <RegionsTab /> : <DictionaryTab dictionary={dictionary} />,
        }))}
      />
    </Page>
  );
}
