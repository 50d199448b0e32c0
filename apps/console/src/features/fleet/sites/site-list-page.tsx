import { useTranslation } from 'react-i18next';
import { download } from '../../../shared/api/client.ts';
import { ListPage } from '../../../shared/ui/list-page/list-page.tsx';
import { LinkButton } from '../../../shared/ui/page/link-button.tsx';
import { SitesMap } from '../map/sites-map.tsx';
import { usePlaceRights } from '../places/use-place-rights.ts';
import { useSiteTable } from './site-table.tsx';

/** Every site in scope. */
export default function SiteListPage() {
  const { t } = useTranslation('places');
  const { t: routes } = useTranslation('routes');
  const rights = usePlaceRights();
  const table = useSiteTable();
  const { search, customerId, enabled, region, state } = table.list.query;
  return (
    <ListPage
      title={routes('siteList')}
      onExport={rights.exportSites ? (query, options) => download('exportSites', { query }, options) : undefined}
      actions={
        rights.addSite && (
          <LinkButton to="/manage/site/add" primary>
            {t('site.add')}
          </LinkButton>
        )
      }
      intro={<SitesMap query={{ search, customerId, enabled, region, state }} />}
      {...table}
    />
  );
}
