import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { type IssueOrigin, useOpenIssue } from '../../../shared/hooks/use-open-issue.ts';
import { issuePath } from '../shared/issue-paths.ts';

/** Says that an open issue of the same alarm or command exists already, with a link to it. */
export function OpenIssueNote({ of }: { of: IssueOrigin }) {
  const { t } = useTranslation('issue');
  const open = useOpenIssue(of);
  if (!open) return null;
  return (
    <p role="status">
      {t('form.exists')} <Link to={issuePath(open.id)}>{`${open.key} ${open.title}`}</Link>
    </p>
  );
}
