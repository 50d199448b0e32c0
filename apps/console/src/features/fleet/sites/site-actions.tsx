import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { lazyDialog } from '../../../shared/ui/dialogs/lazy/lazy-dialog.tsx';
import { MoreMenu } from '../../../shared/ui/dialogs/more-menu.tsx';
import { siteEditPath, sitePath } from '../places/place-paths.ts';
import { DeleteSiteDialog, DisableSiteDialog, EnableSiteDialog } from './site-dialogs.tsx';
import type { SiteSubject } from './site-list.ts';

/** Loaded when opened: it contains the code that draws QR codes. */
const ReportLinkDialog = lazyDialog(async () => ({
  default: (await import('./report-link-dialog.tsx')).ReportLinkDialog,
}));

interface Props {
  site: SiteSubject;
  mayEdit: boolean;
  /** set on the page of the site, which closes when the site is deleted */
  onDeleted?: () => void;
}

/** The actions of a site: open, edit, report link, enable, disable, delete. */
export function SiteActions({ site, mayEdit, onDeleted }: Props) {
  const { t } = useTranslation('places');
  const navigate = useNavigate();
  const mayOpen = usePermitted(['auth_site_detail']);
  const mayLog = usePermitted(['auth_logs_action']);
  const [dialog, setDialog] = useState<'enable' | 'disable' | 'delete' | 'report' | null>(null);
  const close = () => setDialog(null);
  const onDetail = onDeleted !== undefined;

  const items = [
    mayOpen && !onDetail && { key: 'open', label: t('open'), onClick: () => navigate(sitePath(site.id)) },
    mayEdit && !onDetail && { key: 'edit', label: t('edit'), onClick: () => navigate(siteEditPath(site.id)) },
    mayOpen && { key: 'report', label: t('reportLink.open'), onClick: () => setDialog('report') },
    mayLog && { key: 'log', label: t('log'), onClick: () => navigate(`/manage/logs/action/site/${site.id}`) },
    mayEdit &&
      (site.enabled
        ? { key: 'disable', label: t('disable.ok'), onClick: () => setDialog('disable') }
        : { key: 'enable', label: t('enable.ok'), onClick: () => setDialog('enable') }),
    mayEdit && { key: 'delete', label: t('delete.ok'), danger: true, onClick: () => setDialog('delete') },
  ].filter((item) => item !== false);

  return (
    <>
      {onDetail && mayEdit && <Button onClick={() => navigate(siteEditPath(site.id))}>{t('edit')}</Button>}
      {items.length > 0 && (
        <MoreMenu items={items} label={t('more', { name: site.name })} type={onDetail ? 'default' : 'text'} />
      )}
      {dialog === 'report' && <ReportLinkDialog site={site} mayRenew={mayEdit} onClose={close} />}
      {dialog === 'enable' && <EnableSiteDialog site={site} onClose={close} />}
      {dialog === 'disable' && <DisableSiteDialog site={site} onClose={close} />}
      {dialog === 'delete' && <DeleteSiteDialog site={site} onClose={close} onDone={onDeleted} />}
    </>
  );
}
