const LISTS = {
  issue: 'listIssueUsers',
  device: 'listDeviceIssueUsers',
  site: 'listSiteIssueUsers',
  customer: 'listCustomerIssueUsers',
} as const;

/** An issue, or the place of a new one. Users who can see it can be assigned, mentioned and made watchers. */
export interface IssueReaders {
  kind: keyof typeof LISTS;
  id: number;
}

/** The call for the users who can see an issue, some of them; the server searches. */
export function usersWhoSee({ kind, id }: IssueReaders, search: string) {
  return [LISTS[kind], { params: { id }, query: search === '' ? {} : { search } }] as const;
}
