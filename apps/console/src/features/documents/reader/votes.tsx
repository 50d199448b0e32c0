import type { DocumentDetail } from '@chargehand/contract';
import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { queryClient } from '../../../shared/api/query.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { useDocumentRights } from '../shared/use-document-rights.ts';
import css from './reader.module.css';

/** Readers vote whether a document helped; the same button again withdraws the vote. */
export function Votes({ document }: { document: DocumentDetail }) {
  const { t } = useTranslation('documents');
  const { t: common } = useTranslation();
  const rights = useDocumentRights();
  const [votes, setVotes] = useState(document.votes);
  // Votes of others arrive with the document.
  const [seen, setSeen] = useState(document.votes);
  if (seen !== document.votes) {
    setSeen(document.votes);
    setVotes(document.votes);
  }
  const vote = useMutation({
    mutationFn: (helped: boolean | null) =>
      call('voteDocument', { params: { id: document.id }, body: { helped } }, { quiet: true }),
    onSuccess: (answer) => {
      setVotes(answer);
      // Not fetched again: the server would count it as read.
      queryClient.setQueriesData<DocumentDetail>({ queryKey: ['readDocument'] }, (one) =>
        one?.id === document.id ? { ...one, votes: answer } : one,
      );
    },
    onError: (error) => toast.error(error instanceof ApiProblem ? error.message : common('com_error_system')),
  });
  const choice = (helped: boolean, label: string) => (
    <Button
      aria-pressed={votes.own === helped}
      type={votes.own === helped ? 'primary' : 'default'}
      disabled={!rights.votes}
      loading={vote.isPending && vote.variables === helped}
      onClick={() => vote.mutate(votes.own === helped ? null : helped)}
    >
      {label}
    </Button>
  );
  return (
    <section className={css.votes} aria-label={t('votes.question')}>
      <strong>{t('votes.question')}</strong>
      {choice(true, t('votes.helped', { count: votes.helped }))}
      {choice(false, t('votes.notHelped', { count: votes.notHelped }))}
      {votes.own !== null && (
        <span className="quiet" role="status">
          {t('votes.thanks')}
        </span>
      )}
    </section>
  );
}
