import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { download } from '../../../shared/api/client.ts';
import { ListPage } from '../../../shared/ui/list-page/list-page.tsx';
import { usePlaceRights } from '../places/use-place-rights.ts';
import { useSiteTable } from './site-table.tsx';

/** Every site in scope. */
export default function SiteListPage() {
  const { t } = useTranslation('places');
  const { t: routes } = useTranslation('routes');
  const rights = usePlaceRights();
  const table = useSiteTable();
  return (
    <ListPage
      title={routes('siteList')}
      onExport={rights.exportSites ? (query, options) => download('exportSites', { query }, options) : undefined}
      actions={
        rights.addSite && (
          <Link to="/manage/site/add">
            <Button type="primary" tabIndex={-1}>
              {t('site.add')}
            </Button>
          </Link>
        )
      }
      {...table}
    />
  );
}
