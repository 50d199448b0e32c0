import { Tabs } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { Page } from '../../shared/ui/page/page-header.tsx';
import { FilesTab } from './files-tab.tsx';
import { TrashTab } from './trash-tab.tsx';

/** The files of the company in their folders, and the trash. The URL contains the tab, the folder and the open file. */
export default function AttachmentListPage() {
  const { t } = useTranslation('attachments');
  const { t: routes } = useTranslation('routes');
  const [search, setSearch] = useSearchParams();
  const tab = search.get('tab') === 'trash' ? 'trash' : 'files';
  return (
    <Page title={routes('attachList')} actions={<Link to="/manage/attach/shares">{t('share.list')}</Link>}>
      <Tabs
        activeKey={tab}
        destroyOnHidden
        onChange={(key) => setSearch(key === 'files' ? {} : { tab: key }, { replace: true })}
        items={[
          { key: 'files', label: t('tabs.files'), children: <FilesTab /> },
          { key: 'trash', label: t('tabs.trash'), children: <TrashTab /> },
        ]}
      />
    </Page>
  );
}
