import type { IssueDetail } from '@chargehand/contract';
import { issueStatusAfter } from '@chargehand/domain';
import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { MoreMenu } from '../../../shared/ui/dialogs/more-menu.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { LinkButton } from '../../../shared/ui/page/link-button.tsx';
import { CHANGED_QUERIES } from '../shared/changed-queries.ts';
import CloseDialog from '../shared/close-dialog.tsx';
import { LinkDialog, type LinkWay } from './link-dialog.tsx';
import { ShareIssue } from './share/share-issue.tsx';

/** What the user can do with an issue now, by its status. A merged issue can only be unmerged. */
export function IssueActions({ issue }: { issue: IssueDetail }) {
  const { t } = useTranslation('issue');
  const [dialog, setDialog] = useState<'close' | 'share' | 'unmerge' | LinkWay | null>(null);
  const params = { id: issue.id };
  const change = useMutation({
    mutationFn: (name: 'startIssue' | 'reopenIssue') => call(name, { params, body: {} }),
    // A refused change shows what the issue is now.
    onSettled: () => refresh(...CHANGED_QUERIES),
  });
  const watching = useMutation({
    mutationFn: () => call('watchIssue', { params, body: { watching: !issue.watching } }),
    onSuccess: () => toast.success(t(issue.watching ? 'watch.stopped' : 'watch.started')),
    onSettled: () => refresh('readIssue', 'listIssues'),
  });
  const edits = issue.may.edit;
  const may = (action: 'start' | 'close' | 'reopen') =>
    edits && issue.mergedInto === null && issueStatusAfter(issue.status, action) !== null;
  return (
    <>
      {may('start') && (
        <Button type="primary" loading={change.isPending} onClick={() => change.mutate('startIssue')}>
          {t('action.start')}
        </Button>
      )}
      {may('close') && (
        <Button type={may('start') ? 'default' : 'primary'} onClick={() => setDialog('close')}>
          {t('action.close')}
        </Button>
      )}
      {may('reopen') && (
        <Button type="primary" loading={change.isPending} onClick={() => change.mutate('reopenIssue')}>
          {t('action.reopen')}
        </Button>
      )}
      {edits && issue.mergedInto !== null && (
        <Button onClick={() => setDialog('unmerge')}>{t('action.unmerge')}</Button>
      )}
      <Button aria-pressed={issue.watching} loading={watching.isPending} onClick={() => watching.mutate()}>
        {t(issue.watching ? 'watch.stop' : 'watch.start')}
      </Button>
      {edits && issue.mergedInto === null && (
        <>
          <Button onClick={() => setDialog('share')}>{t('share.do')}</Button>
          <LinkButton to={`/manage/issue/update/${issue.id}`}>{t('action.edit')}</LinkButton>
          <MoreMenu
            type="default"
            label={t('action.more')}
            items={[
              { key: 'duplicate', label: t('link.duplicate.do'), onClick: () => setDialog('duplicate') },
              { key: 'cause', label: t('link.cause.do'), onClick: () => setDialog('cause') },
              { key: 'merge', label: t('link.merge.do'), onClick: () => setDialog('merge') },
            ]}
          />
        </>
      )}
      {dialog === 'close' && <CloseDialog issue={issue} onClose={() => setDialog(null)} />}
      {dialog === 'share' && <ShareIssue issue={issue} onClose={() => setDialog(null)} />}
      {dialog === 'unmerge' && (
        <Confirm
          title={t('unmerge.title')}
          ok={t('action.unmerge')}
          run={async () => {
            await call('unmergeIssue', { params, body: {} }, { quiet: true });
            void refresh(...CHANGED_QUERIES);
          }}
          onDone={() => setDialog(null)}
          onClose={() => setDialog(null)}
        >
          <p>{t('unmerge.text')}</p>
        </Confirm>
      )}
      {(dialog === 'duplicate' || dialog === 'cause' || dialog === 'merge') && (
        <LinkDialog issue={issue} way={dialog} onClose={() => setDialog(null)} />
      )}
    </>
  );
}
