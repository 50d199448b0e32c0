import { Tabs } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { usePermitted } from '../../shared/session/permitted.tsx';
import { Page } from '../../shared/ui/page/page-header.tsx';
import { ImportsTab } from './imports-tab.tsx';
import { ListsTab } from './lists-tab.tsx';
import { TokensTab } from './tokens-tab.tsx';
import { UnknownTab } from './unknown-tab.tsx';

/** Who may charge: the tokens, those that are not known, the lists in devices, and imports. */
export default function TokensPage() {
  const { t } = useTranslation('tokens');
  const [search, setSearch] = useSearchParams();
  const mayEdit = usePermitted(['auth_token_edit']);
  const tabs = [
    { key: 'tokens', label: t('tabs.tokens'), children: <TokensTab /> },
    { key: 'unknown', label: t('tabs.unknown'), children: <UnknownTab /> },
    { key: 'lists', label: t('tabs.lists'), children: <ListsTab /> },
    ...(mayEdit ? [{ key: 'imports', label: t('tabs.imports'), children: <ImportsTab /> }] : []),
  ];
  const tab = tabs.find(({ key }) => key === search.get('tab'))?.key ?? 'tokens';
  return (
    <Page title={t('title')} note={t('note')}>
      <Tabs
        activeKey={tab}
        onChange={(key) => setSearch(key === 'tokens' ? {} : { tab: key }, { replace: true })}
        destroyOnHidden
        items={tabs}
      />
    </Page>
  );
}
