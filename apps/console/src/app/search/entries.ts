import type { SearchHit, SearchKind } from '@chargehand/contract';

/** One line of the search: opens a page, or runs a command. */
export interface Entry {
  /** unique in the list */
  key: string;
  title: string;
  /** the SN of a device, the code of a site or customer, the user name of a user */
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

const DETAIL: Record<SearchKind, string> = {
  device: '/manage/device/detail/',
  site: '/manage/site/detail/',
  customer: '/manage/customer/detail/',
  user: '/manage/user/detail/',
};
const LIST: Record<SearchKind, string> = {
  device: '/manage/device/list',
  site: '/manage/site/list',
  customer: '/manage/customer/list',
  user: '/manage/user/list',
};

/** The page of a row. */
function detailPathOf(kind: SearchKind, id: number): string {
  return `${DETAIL[kind]}${id}`;
}

/** The list of a kind, filtered by a search. */
export function listPathOf(kind: SearchKind, search: string): string {
  return `${LIST[kind]}?${new URLSearchParams({ search })}`;
}

/** A row that the server found. */
export function entryOf(kind: SearchKind, hit: SearchHit): Entry {
  return {
    key: `${kind}:${hit.id}`,
    title: hit.name,
    ...(hit.code === hit.name ? {} : { code: hit.code }),
    ...(hit.within.length === 0 ? {} : { within: hit.within.join(' · ') }),
    hit,
    to: detailPathOf(kind, hit.id),
  };
}
