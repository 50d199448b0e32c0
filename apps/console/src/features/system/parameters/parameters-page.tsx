import { Tabs } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Page } from '../../../shared/ui/page/page-header.tsx';
import { Environment } from './environment.tsx';
import { History } from './history.tsx';
import { ParameterList } from './parameter-list.tsx';

const TABS = ['values', 'history', 'environment'] as const;

/** The settings of the installation: parameters, their history, and the environment variables. For root only. */
export default function ParametersPage() {
  const { t } = useTranslation('system-parameters');
  const { t: routes } = useTranslation('routes');
  const [search, setSearch] = useSearchParams();
  const panels = { values: <ParameterList />, history: <History />, environment: <Environment /> };
  return (
    <Page title={routes('systemParameters')}>
      <Tabs
        activeKey={TABS.find((tab) => tab === search.get('tab')) ?? 'values'}
        onChange={(key) => setSearch(key === 'values' ? {} : { tab: key }, { replace: true })}
        destroyOnHidden
        items={TABS.map((key) => ({ key, label: t(`tabs.${key}`), children: panels[key] }))}
      />
    </Page>
  );
}
