import type { IssueDetail } from '@chargehand/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { CHANGED_QUERIES } from '../shared/changed-queries.ts';
import { IssueStatusTag } from '../shared/issue-marks.tsx';
import { issuePath } from '../shared/issue-paths.ts';
import css from './detail.module.css';

/** The links of an issue, and the issues that were merged into it; nothing when there are none. */
export function IssueLinks({ issue }: { issue: IssueDetail }) {
  const { t } = useTranslation('issue');
  const unlink = useMutation({
    mutationFn: (linkId: number) => call('unlinkIssue', { params: { id: issue.id, linkId } }),
    onSettled: () => refresh(...CHANGED_QUERIES),
  });
  if (issue.links.length === 0 && issue.merged.length === 0) return null;
  return (
    <Panel title={t('link.title')}>
      <ul className={css.links}>
        {issue.links.map((link) => (
          <li key={link.linkId}>
            <span className="quiet">{t(`link.${link.kind}.${link.direction}`)}</span>
            <Link to={issuePath(link.id)}>{`${link.key} ${link.title}`}</Link>
            <IssueStatusTag status={link.status} />
            {issue.may.edit && (
              <Button
                size="small"
                type="text"
                loading={unlink.isPending && unlink.variables === link.linkId}
                aria-label={t('link.removeOf', { issue: link.key })}
                onClick={() => unlink.mutate(link.linkId)}
              >
                {t('link.remove')}
              </Button>
            )}
          </li>
        ))}
        {issue.merged.map((one) => (
          <li key={one.id}>
            <span className="quiet">{t('link.merged')}</span>
            <Link to={issuePath(one.id)}>{`${one.key} ${one.title}`}</Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Where the work on a merged issue goes on. */
export function MergedNote({ into }: { into: number }) {
  const { t } = useTranslation('issue');
  const other = useQuery(queryOf('readIssue', { params: { id: into } }, { quiet: true }));
  const name = other.data ? `${other.data.key} ${other.data.title}` : t('mergedNote.other');
  return (
    <p className={css.note} role="note">
      {t('mergedNote.text')} <Link to={issuePath(into)}>{name}</Link>
    </p>
  );
}
