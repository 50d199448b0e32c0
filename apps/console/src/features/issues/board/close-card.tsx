import type { IssueRow } from '@chargehand/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { CHANGED_QUERIES } from '../shared/changed-queries.ts';
import { EndFields, endOf, NO_END } from '../shared/end-fields.tsx';

/** Closes the issue of a card with its cause and remedy. */
export default function CloseCard({ issue, onClose }: { issue: IssueRow; onClose(): void }) {
  const { t } = useTranslation('issues');
  const [entered, setEntered] = useState(NO_END);
  const end = endOf(entered);
  return (
    <Confirm
      title={t('board.closeTitle', { number: issue.number })}
      ok={t('move.close')}
      width={520}
      ready={end !== null}
      entered={entered}
      run={async () => {
        if (end === null) return;
        await call('closeIssue', { params: { id: issue.id }, body: end }, { quiet: true });
        await refresh(...CHANGED_QUERIES);
      }}
      onDone={() => {
        toast.success(t('board.done.close', { number: issue.number }));
        onClose();
      }}
      onClose={onClose}
    >
      <EndFields codes={issue.alarmCode === null ? [] : [issue.alarmCode]} value={entered} onChange={setEntered} />
    </Confirm>
  );
}
