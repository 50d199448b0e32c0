import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, QRCode } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { Copyable } from '../../../shared/ui/values/copyable.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import type { SiteSubject } from './site-list.ts';

/** The link and QR code by which anyone can report a problem at a site. Users who may edit the site can replace it. */
export function ReportLinkDialog(props: { site: SiteSubject; mayRenew: boolean; onClose(): void }) {
  const { site, mayRenew, onClose } = props;
  const { t } = useTranslation('places');
  const { t: common } = useTranslation();
  const input = { params: { id: site.id } };
  const link = useQuery(queryOf('readSiteReportLink', input, { quiet: true }));
  /** printed copies stop working, so the button asks once more */
  const [sure, setSure] = useState(false);
  const renewal = useMutation({
    mutationFn: () => call('renewSiteReportLink', input),
    onSettled: () => {
      setSure(false);
      return refresh('readSiteReportLink');
    },
  });
  return (
    <Dialog
      title={t('reportLink.title', { name: site.name })}
      pending={renewal.isPending}
      onCancel={onClose}
      footer={
        <>
          {mayRenew && (
            <Button
              danger
              loading={renewal.isPending}
              disabled={!link.data}
              onClick={() => (sure ? renewal.mutate() : setSure(true))}
            >
              {t(sure ? 'reportLink.renewSure' : 'reportLink.renew')}
            </Button>
          )}
          <Button type="primary" disabled={renewal.isPending} onClick={onClose}>
            {common('close')}
          </Button>
        </>
      }
    >
      <p>{t('reportLink.about')}</p>
      {link.isError && <ErrorState error={link.error} onRetry={() => void link.refetch()} />}
      {link.isPending && <SkeletonRows rows={4} />}
      {link.data && (
        <>
          {/* Cameras need dark on light in every theme. */}
          <QRCode
            type="svg"
            value={link.data.url}
            size={160}
            color="#000"
            bgColor="#fff"
            aria-label={t('reportLink.qr')}
          />
          <p>
            <Copyable text={link.data.url} />
          </p>
          <p className="quiet">
            {t('reportLink.since')} <ExactTime at={link.data.createdAt} />
            {mayRenew && <> · {t('reportLink.renewHint')}</>}
          </p>
        </>
      )}
    </Dialog>
  );
}
