/** What a new issue is about: the first one of these that is given. */
export interface IssueSubject {
  deviceId?: number;
  siteId?: number;
  customerId?: number;
}

/** The list of issues with filters, as its URL has them. */
export function issueListPath(filters: Readonly<Record<string, string | number | undefined>>): string {
  return withQuery('/manage/issue/list', filters);
}

/** The page of an issue. */
export function issuePath(id: number): string {
  return `/manage/issue/detail/${id}`;
}

/** The form of a new issue about something. */
export function addIssuePath(subject: IssueSubject = {}): string {
  return withQuery('/manage/issue/add', { ...subject });
}

function withQuery(path: string, values: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
