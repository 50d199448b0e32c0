import type { IssueRow } from '@chargehand/contract';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { CHANGED_QUERIES } from '../shared/changed-queries.ts';
import { useIssueRights } from '../shared/use-issue-rights.ts';
import type { Move } from './moves.ts';

const CALLS = { start: 'startIssue', reopen: 'reopenIssue' } as const;

/** The moves of the cards of a board. A card changes its column when the server has done it, not before. */
export interface Moves {
  /** the cards whose move is not finished */
  busy: ReadonlySet<number>;
  /** the issue whose cause and remedy are being entered */
  closing: IssueRow | null;
  may(issue: IssueRow): boolean;
  start(issue: IssueRow, move: Move): void;
  endClosing(): void;
}

/** @param rows the content of the board: the focus follows a card into its new column */
export function useMoves(rows: unknown): Moves {
  const { t } = useTranslation('issues');
  const { edit } = useIssueRights();
  const [busy, setBusy] = useState<ReadonlySet<number>>(new Set());
  const [closing, setClosing] = useState<IssueRow | null>(null);
  const followed = useRef<number | null>(null);
  useEffect(() => {
    if (rows === undefined || followed.current === null) return;
    const card = document.querySelector<HTMLElement>(`[data-issue="${followed.current}"] :is(a, button)`);
    if (!card || document.activeElement !== document.body) return;
    card.focus();
    followed.current = null;
  }, [rows]);
  const moving = useMutation({
    mutationFn: ({ issue, move }: { issue: IssueRow; move: keyof typeof CALLS }) =>
      call(CALLS[move], { params: { id: issue.id }, body: {} }),
    onMutate: ({ issue }) => setBusy((now) => new Set([...now, issue.id])),
    onSuccess: (_, { issue, move }) => toast.success(t(`board.done.${move}`, { issue: issue.key })),
    onSettled: async (_answer, _error, { issue }) => {
      // A refused move means that the board is out of date.
      await refresh(...CHANGED_QUERIES);
      setBusy((now) => new Set([...now].filter((id) => id !== issue.id)));
    },
  });
  return {
    busy,
    closing,
    may: ({ id, mergedInto }) => edit && mergedInto === null && !busy.has(id),
    start(issue, move) {
      followed.current = issue.id;
      if (move === 'close') setClosing(issue);
      else moving.mutate({ issue, move });
    },
    endClosing: () => setClosing(null),
  };
}
