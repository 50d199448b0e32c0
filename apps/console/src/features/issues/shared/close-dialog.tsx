import type { IssueRow } from '@chargehand/contract';
import type { DocumentContent } from '@chargehand/domain';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { CHANGED_QUERIES } from './changed-queries.ts';
import { EndFields, endOf, NO_END } from './end-fields.tsx';

interface Props {
  issue: Pick<IssueRow, 'id' | 'key' | 'alarmCode'>;
  /** sent before the issue is closed; the button and a note say so */
  comment?: {
    body: DocumentContent;
    audience: { internal: boolean } | { reportId: number };
    quotes: number | null;
    ok: string;
    note: string;
  };
  /** called after the issue was closed, before `onClose` */
  onDone?(): void;
  onClose(): void;
}

/** Closes an issue with its cause and remedy. How other issues of the same alarm code ended is offered first. */
export default function CloseDialog({ issue, comment, onDone, onClose }: Props) {
  const { t } = useTranslation('issues');
  const [entered, setEntered] = useState(NO_END);
  const end = endOf(entered);
  return (
    <Confirm
      title={t('board.closeTitle', { issue: issue.key })}
      ok={comment?.ok ?? t('board.closeOk')}
      width={520}
      ready={end !== null}
      // A proposed end is no input.
      entered={{ causeText: entered.causeText, remedyText: entered.remedyText }}
      run={async () => {
        if (end === null) return;
        const written = comment && {
          ...{ body: comment.body, ...comment.audience },
          ...(comment.quotes !== null && { quotes: comment.quotes }),
        };
        await call('closeIssue', { params: { id: issue.id }, body: { ...end, ...written } }, { quiet: true });
        void refresh(...CHANGED_QUERIES, 'readIssueEnds');
      }}
      onDone={() => {
        toast.success(t('board.done.close', { issue: issue.key }));
        onDone?.();
        onClose();
      }}
      onClose={onClose}
    >
      {comment && <p>{comment.note}</p>}
      <EndFields codes={issue.alarmCode === null ? [] : [issue.alarmCode]} value={entered} onChange={setEntered} />
    </Confirm>
  );
}
