/** The queries that a change of issues makes out of date. */
export const CHANGED_QUERIES = [
  'listIssues',
  'readIssueBoard',
  'readIssueTimes',
  'listIssueLabels',
  'readIssue',
  'listIssueEntries',
] as const;
