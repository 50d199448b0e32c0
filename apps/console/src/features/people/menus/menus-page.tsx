import { useQuery } from '@tanstack/react-query';
import { Button, Tabs } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { Page } from '../../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { InterfaceList } from './interface-list.tsx';
import { AddMenuDialog } from './menu-dialogs.tsx';
import { MenuPanes } from './menu-panes.tsx';
import '../people.module.css';
import './menus.module.css';

/** Menus and their interfaces: who may open pages and call endpoints. The URL contains the tab and the menu. */
export default function MenusPage() {
  const { t } = useTranslation('menus');
  const { t: routes } = useTranslation('routes');
  const { user } = useUser();
  const [search, setSearch] = useSearchParams();
  const [adds, setAdds] = useState(false);
  const vendor = user.root || user.platformVendor;
  const menus = useQuery({ ...queryOf('listMenus', {}, { quiet: true }), enabled: vendor });
  const tab = search.get('tab') === 'interfaces' ? 'interfaces' : 'menus';
  const chosen = search.get('menu');
  const choose = (key: string | null) => setSearch(key === null ? {} : { menu: key }, { replace: true });

  if (!vendor) {
    return (
      <Page title={routes('systemMenu')}>
        <p className="warning-note">{t('vendorOnly')}</p>
      </Page>
    );
  }
  if (!menus.data) {
    return (
      <Page title={routes('systemMenu')}>
        {menus.isError ? (
          <ErrorState error={menus.error} onRetry={() => void menus.refetch()} />
        ) : (
          <SkeletonRows rows={12} />
        )}
      </Page>
    );
  }
  const { items } = menus.data;
  return (
    <Page
      title={routes('systemMenu')}
      actions={
        tab === 'menus' &&
        !user.readOnly && (
          <Button type="primary" onClick={() => setAdds(true)}>
            {t('add')}
          </Button>
        )
      }
    >
      <Tabs
        className="menus-tabs"
        activeKey={tab}
        destroyOnHidden
        onChange={(key) => setSearch(key === 'interfaces' ? { tab: 'interfaces' } : {}, { replace: true })}
        items={[
          {
            key: 'menus',
            label: t('tabMenus'),
            children: <MenuPanes menus={items} chosen={chosen} onChoose={choose} />,
          },
          { key: 'interfaces', label: t('tabInterfaces'), children: <InterfaceList menus={items} /> },
        ]}
      />
      {adds && (
        <AddMenuDialog menus={items} parentKey={chosen} onAdded={(key) => choose(key)} onClose={() => setAdds(false)} />
      )}
    </Page>
  );
}
