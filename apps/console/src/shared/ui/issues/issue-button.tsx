import { useTranslation } from 'react-i18next';
import { type IssueOrigin, useOpenIssue } from '../../hooks/use-open-issue.ts';
import { usePermitted } from '../../session/permitted.tsx';
import { useUser } from '../../session/use-user.ts';
import { LinkButton } from '../page/link-button.tsx';

/** Opens the open issue of an alarm or command, or the form that reports one; nothing for users who may do neither. */
export function IssueButton({ of, deviceId }: { of: IssueOrigin; deviceId?: number }) {
  const { t } = useTranslation();
  const { user } = useUser();
  const open = useOpenIssue(of);
  const adds = usePermitted(['auth_issue_add']) && (user.root || !user.readOnly);
  if (open)
    return <LinkButton to={`/manage/issue/detail/${open.id}`}>{t('issue.open', { number: open.number })}</LinkButton>;
  if (!adds) return null;
  const query = new URLSearchParams({
    ...('alarmId' in of ? { alarmId: String(of.alarmId) } : { executionId: of.executionId }),
    ...(deviceId !== undefined && { deviceId: String(deviceId) }),
  });
  return <LinkButton to={`/manage/issue/add?${query}`}>{t('issue.report')}</LinkButton>;
}
