import type { IssueDetail } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../../shared/api/query.ts';
import { Dialog } from '../../../../shared/ui/dialogs/dialog.tsx';
import { ObjectShares, SHOWN } from '../../../../shared/ui/shares/object-shares.tsx';
import { ShareDialog } from '../../../../shared/ui/shares/share-dialog.tsx';

interface Props {
  issue: Pick<IssueDetail, 'id' | 'key' | 'title'>;
  onClose(): void;
}

/** The links of an issue for people outside, such as the manufacturer, and a new one. */
export function ShareIssueDialog({ issue: { id, key, title }, onClose }: Props) {
  const { t } = useTranslation('issue');
  const { t: words } = useTranslation('shares');
  const [wanted, setWanted] = useState<boolean | null>(null);
  const shares = useQuery(queryOf('listShares', { query: { issueId: id, page: 1, pageSize: SHOWN } }, { quiet: true }));
  // Without a link yet, the form is what the user wants.
  const adding = wanted ?? shares.data?.total === 0;
  if (shares.isPending)
    return <Dialog title={t('share.title', { issue: key })} width={640} footer={null} onCancel={onClose} />;
  if (adding) {
    return (
      <ShareDialog
        object={{ kind: 'issue', id, name: `${key} ${title}` }}
        onClose={() => (shares.data?.total === 0 ? onClose() : setWanted(false))}
      />
    );
  }
  return (
    <Dialog title={t('share.title', { issue: key })} width={640} footer={null} onCancel={onClose}>
      <div className="stack">
        <p className="quiet">{words('access.hint')}</p>
        <ObjectShares issueId={id} />
        <div>
          <Button type="primary" onClick={() => setWanted(true)}>
            {t('share.new')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
