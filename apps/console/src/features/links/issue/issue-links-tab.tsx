import type { IssueDetail } from '@chargehand/contract';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '../../../shared/session/use-user.ts';
import { LinkList } from '../list/link-list.tsx';
import RequestDialog from '../request/request-dialog.tsx';

/** The remote links that were requested for an issue, and a button that requests one. */
export default function IssueLinksTab({ issue }: { issue: IssueDetail }) {
  const { t } = useTranslation('links');
  const { user } = useUser();
  const [requests, setRequests] = useState(false);
  const { id, key, title, deviceId, deviceName } = issue;
  return (
    <div className="stack">
      <p className="quiet">{t('ofIssue.note')}</p>
      {deviceId !== null && (user.root || !user.readOnly) && (
        <div>
          <Button onClick={() => setRequests(true)}>{t('ofIssue.request')}</Button>
        </div>
      )}
      <LinkList of={{ issueId: id }} />
      {requests && deviceId !== null && (
        <RequestDialog
          device={{ id: deviceId, name: deviceName ?? '' }}
          issue={{ id, key, title }}
          onClose={() => setRequests(false)}
        />
      )}
    </div>
  );
}
