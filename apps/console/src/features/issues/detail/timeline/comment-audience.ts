import type { IssueDetail, IssueEntry } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';

/** Who reads a comment: users of the console, also visitors of shares, or also the reporter of a report. */
export type CommentAudience = 'internal' | 'shared' | number;

/** The audience as the server takes it. */
export function enteredAudience(to: CommentAudience): { internal: boolean } | { reportId: number } {
  return typeof to === 'number' ? { reportId: to } : { internal: to === 'internal' };
}

/** Names the reporters of an issue: their number, and how to reach them if the caller may know. */
export function useReporterNames(issue: IssueDetail) {
  const { t } = useTranslation('issue');
  const nameOf = (reportId: number) => {
    const index = issue.reports.findIndex(({ id }) => id === reportId);
    if (index === -1) return t('reporter');
    const { contact } = issue.reports[index]!;
    return contact === null
      ? t('reporterOf.number', { number: index + 1 })
      : t('reporterOf.contact', { number: index + 1, contact });
  };
  return {
    nameOf,
    /** the author of an entry */
    authorOf({ userName, reportId, unknownSender }: IssueEntry): string {
      if (unknownSender !== null) return t('unknownSender.name', { address: unknownSender });
      return userName || (reportId === null ? t('reporter') : nameOf(reportId));
    },
  };
}
