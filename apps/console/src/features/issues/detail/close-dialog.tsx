import type { IssueDetail } from '@chargehand/contract';
import type { DocumentContent } from '@chargehand/domain';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { CHANGED_QUERIES } from '../shared/changed-queries.ts';
import { EndFields, endOf, NO_END } from '../shared/end-fields.tsx';

interface Props {
  issue: Pick<IssueDetail, 'id' | 'number' | 'alarmCode'>;
  /** sent before the issue is closed */
  comment?: { body: DocumentContent; internal: boolean };
  onDone(): void;
  onClose(): void;
}

/** Closes an issue with its cause and remedy. How other issues of the same alarm code ended is offered first. */
export function CloseDialog({ issue, comment, onDone, onClose }: Props) {
  const { t } = useTranslation('issue');
  const [entered, setEntered] = useState(NO_END);
  const end = endOf(entered);
  return (
    <Confirm
      title={t('close.title', { number: issue.number })}
      ok={t(comment ? 'action.commentAndClose' : 'action.close')}
      width={520}
      ready={end !== null}
      entered={entered}
      run={async () => {
        if (end === null) return;
        await call('closeIssue', { params: { id: issue.id }, body: { ...end, ...comment } }, { quiet: true });
        await refresh(...CHANGED_QUERIES, 'readIssueEnds');
      }}
      onDone={onDone}
      onClose={onClose}
    >
      {comment && <p>{t('close.withComment')}</p>}
      <EndFields codes={issue.alarmCode === null ? [] : [issue.alarmCode]} value={entered} onChange={setEntered} />
    </Confirm>
  );
}
