import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { download } from '../../../shared/api/client.ts';
import { useListQuery } from '../../../shared/hooks/use-list-query.ts';
import { ExportButton } from '../../../shared/ui/export-button.tsx';
import { Page } from '../../../shared/ui/page-header.tsx';
import { usePlaceRights } from '../places/use-place-rights.ts';
import { SITE_LIST, siteFiltersOf } from './site-list.ts';
import { SiteTable } from './site-table.tsx';

/** Every site in scope. */
export default function SiteListPage() {
  const { t } = useTranslation('places');
  const { t: routes } = useTranslation('routes');
  const rights = usePlaceRights();
  const { query } = useListQuery(SITE_LIST);
  return (
    <Page
      title={routes('siteList')}
      actions={
        <>
          {rights.exportSites && (
            <ExportButton
              fetch={(options) =>
                download('exportSites', { query: { sort: query.sort, ...siteFiltersOf(query) } }, options)
              }
            />
          )}
          {rights.addSite && (
            <Link to="/manage/site/add">
              <Button type="primary" tabIndex={-1}>
                {t('site.add')}
              </Button>
            </Link>
          )}
        </>
      }
    >
      <SiteTable />
    </Page>
  );
}
