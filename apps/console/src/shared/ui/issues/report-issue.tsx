import { ExceptionOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useHref, useLinkClickHandler } from 'react-router';
import type { IssueOrigin } from '../../hooks/use-open-issue.ts';
import { reportIssuePath, useReportsIssues } from './report-path.ts';

interface Props {
  of: IssueOrigin;
  deviceId?: number;
  /** the row that the link belongs to, for its accessible name */
  name: string;
}

/**
 * A link in the row of an alarm or a command to the form that reports an issue of it; nothing for users who may not. The
 * form names the open issue that exists already, so that a list does not read the issue of each row.
 */
export function ReportIssue(props: Props) {
  return useReportsIssues() ? <Report {...props} /> : null;
}

function Report({ of, deviceId, name }: Props) {
  const { t } = useTranslation();
  const path = reportIssuePath(of, deviceId);
  const href = useHref(path);
  const follow = useLinkClickHandler(path);
  return (
    <Button
      type="text"
      size="small"
      icon={<ExceptionOutlined />}
      href={href}
      aria-label={t('issue.reportOf', { name })}
      title={t('issue.report')}
      onClick={(event) => follow(event as MouseEvent<HTMLAnchorElement>)}
    />
  );
}
