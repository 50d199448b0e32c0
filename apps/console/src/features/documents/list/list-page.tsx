import { Button, Tabs } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { ExportButton } from '../../../shared/ui/list-page/export-button.tsx';
import { LinkButton } from '../../../shared/ui/page/link-button.tsx';
import { Page } from '../../../shared/ui/page/page-header.tsx';
import { addPath } from '../shared/paths.ts';
import { useDocumentRights } from '../shared/use-document-rights.ts';
import { DocumentTable } from './document-table.tsx';
import { DocumentImport } from './import-dialog.tsx';
import { UnexplainedCodes } from './unexplained-codes.tsx';
import { useExport } from './use-export.tsx';

/** All documents for their authors, and the alarm codes without a document (`?tab=missing`). */
export default function DocumentListPage() {
  const { t } = useTranslation('documents');
  const { t: routes } = useTranslation('routes');
  const rights = useDocumentRights();
  const exporting = useExport();
  const [search, setSearch] = useSearchParams();
  const [importing, setImporting] = useState(false);
  const categoryId = Number(search.get('categoryId')) || undefined;
  const tab = rights.seesUnexplained && search.get('tab') === 'missing' ? 'missing' : 'all';
  return (
    <Page
      title={routes('docsList')}
      actions={
        <>
          {rights.export && <ExportButton fetch={(options) => exporting.run({ categoryId }, options)} />}
          {rights.import && <Button onClick={() => setImporting(true)}>{t('import.open')}</Button>}
          {rights.categories && <LinkButton to="/manage/docs/category">{t('categories')}</LinkButton>}
          {rights.add && (
            <LinkButton to={addPath({ categoryId })} primary>
              {t('add')}
            </LinkButton>
          )}
        </>
      }
    >
      {rights.seesUnexplained ? (
        <Tabs
          activeKey={tab}
          onChange={(key) => setSearch(key === 'missing' ? { tab: 'missing' } : {}, { replace: true })}
          destroyOnHidden
          items={[
            { key: 'all', label: t('list.all'), children: <DocumentTable /> },
            { key: 'missing', label: t('missing.title'), children: <UnexplainedCodes /> },
          ]}
        />
      ) : (
        <DocumentTable />
      )}
      {exporting.dialog}
      {importing && <DocumentImport categoryId={categoryId} onClose={() => setImporting(false)} />}
    </Page>
  );
}
