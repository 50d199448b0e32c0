import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { EDITED } from '../../../shared/api/edited.ts';
import { queryOf } from '../../../shared/api/query.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { LinkCode } from '../../../shared/ui/shares/link-code.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';

interface Props {
  file: { id: number; name: string };
  onClose(): void;
}

/** A new signed link that downloads a file without signing in, to copy or to scan, with the time at which it ends. */
export default function LinkDialog({ file: { id, name }, onClose }: Props) {
  const { t } = useTranslation('attachments');
  // A link is not kept after the dialog: the next one is valid for longer.
  const read = useQuery({
    ...queryOf('linkAttachment', { params: { id }, query: {} }, { quiet: true }),
    ...EDITED,
    gcTime: 0,
  });
  const link = read.data && new URL(read.data.url, location.origin).href;
  return (
    <Dialog title={t('link.title', { name })} footer={null} onCancel={onClose}>
      {read.data && link !== undefined ? (
        <div className="stack">
          <LinkCode link={link} qr={t('link.qr')} copy={t('link.copy')}>
            <p>
              {t('link.until')} <ExactTime at={read.data.expiresAt} />
            </p>
          </LinkCode>
          <p className="quiet">{t('link.hint')}</p>
        </div>
      ) : read.isError ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <SkeletonRows rows={4} />
      )}
    </Dialog>
  );
}
