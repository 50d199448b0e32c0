import { IssuesSection } from './issues-section.tsx';

/** The issues of a site. */
export function SiteIssues({ siteId }: { siteId: number }) {
  return <IssuesSection of={{ siteId }} />;
}

/** The issues of a customer. */
export function CustomerIssues({ customerId }: { customerId: number }) {
  return <IssuesSection of={{ customerId }} />;
}
