import { useTranslation } from 'react-i18next';
import { type IssueOrigin, useOpenIssue } from '../../hooks/use-open-issue.ts';
import { LinkButton } from '../page/link-button.tsx';
import { reportIssuePath, useReportsIssues } from './report-path.ts';

/** Opens the open issue of an alarm or command, or the form that reports one; nothing for users who may do neither. */
export function IssueButton({ of, deviceId }: { of: IssueOrigin; deviceId?: number }) {
  const { t } = useTranslation();
  const open = useOpenIssue(of);
  const adds = useReportsIssues();
  if (open)
    return <LinkButton to={`/manage/issue/detail/${open.id}`}>{t('issue.open', { issue: open.key })}</LinkButton>;
  if (!adds) return null;
  return <LinkButton to={reportIssuePath(of, deviceId)}>{t('issue.report')}</LinkButton>;
}
