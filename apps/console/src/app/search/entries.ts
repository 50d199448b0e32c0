import type { Locale, SearchHit, SearchKind } from '@chargehand/contract';
import { documentPath, searchPath } from '../../features/documents/shared/paths.ts';

/** One line of the search: opens a page, or runs a command. */
export interface Entry {
  /** unique in the list */
  key: string;
  title: string;
  /** the SN of a device, the code of a site or customer, the user name of a user, the number of an issue */
  code?: string;
  /** where it belongs */
  within?: string;
  hit?: SearchHit;
  /** the page that it opens */
  to?: string;
  run?(): void;
  /** leads to a list, and is not an object that is opened again */
  isList?: true;
}

/** Kinds with a page for each row and a list that is searched. */
type ListedKind = Exclude<SearchKind, 'document'>;

const DETAIL: Record<ListedKind, string> = {
  device: '/manage/device/detail/',
  site: '/manage/site/detail/',
  customer: '/manage/customer/detail/',
  user: '/manage/user/detail/',
  issue: '/manage/issue/detail/',
};
const LIST: Record<ListedKind, string> = {
  device: '/manage/device/list',
  site: '/manage/site/list',
  customer: '/manage/customer/list',
  user: '/manage/user/list',
  issue: '/manage/issue/list',
};

/** The page of a row. A document opens at the heading and in the language in which it was found. */
function detailPathOf(kind: SearchKind, { id, section }: SearchHit, own: Locale): string {
  if (kind !== 'document') return `${DETAIL[kind]}${id}`;
  const { anchor = null, locale = own } = section ?? {};
  return documentPath(id, { anchor, ...(locale !== own && { locale }) });
}

/** The list of a kind, filtered by a search. */
export function listPathOf(kind: SearchKind, search: string): string {
  if (kind === 'document') return searchPath(search);
  const query = new URLSearchParams({ search });
  if (kind === 'issue') query.set('tab', 'all');
  return `${LIST[kind]}?${query}`;
}

/** A row that the server found, for a reader of the language `own`. */
export function entryOf(kind: SearchKind, hit: SearchHit, own: Locale): Entry {
  return {
    key: `${kind}:${hit.id}`,
    title: hit.name,
    ...(hit.code === hit.name || hit.code === '' ? {} : { code: hit.code }),
    ...(hit.within.length === 0 ? {} : { within: hit.within.join(' · ') }),
    hit,
    to: detailPathOf(kind, hit, own),
  };
}
