import type { IssueDetail } from '@chargehand/contract';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../../shared/ui/dialogs/dialog.tsx';
import { ObjectShares } from '../../../../shared/ui/shares/object-shares.tsx';
import { ShareDialog } from '../../../../shared/ui/shares/share-dialog.tsx';

interface Props {
  issue: Pick<IssueDetail, 'id' | 'key' | 'title'>;
  onClose(): void;
}

/** The links of an issue for people outside, such as the manufacturer, and a new one. */
export function ShareIssueDialog({ issue: { id, key, title }, onClose }: Props) {
  const { t } = useTranslation('issue');
  const { t: shares } = useTranslation('shares');
  const [adding, setAdding] = useState(false);
  if (adding) {
    return <ShareDialog object={{ kind: 'issue', id, name: `${key} ${title}` }} onClose={() => setAdding(false)} />;
  }
  return (
    <Dialog title={t('share.title', { issue: key })} width={640} footer={null} onCancel={onClose}>
      <div className="stack">
        <p className="quiet">{shares('access.hint')}</p>
        <ObjectShares issueId={id} />
        <div>
          <Button type="primary" onClick={() => setAdding(true)}>
            {t('share.new')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
