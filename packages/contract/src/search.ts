import { DEVICE_STATUSES } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { LOCALES, SEARCH_KINDS, SEARCH_LIMIT } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { Exact, Id, Words } from './schemas.ts';

/** A row that a search found. */
export const SearchHit = Exact({
  id: Id,
  name: Type.String(),
  /** the SN of a device, the code of a site or customer, the user name of a user; empty for a document; the number of an issue */
  code: Type.String(),
  /** where it belongs, from the inside out, such as site and customer; the heading of a document */
  within: Type.Array(Type.String()),
  enabled: Type.Boolean(),
  /** the status of a device; null for all other rows */
  status: Type.Union([Words(DEVICE_STATUSES), Type.Null()]),
  /** an issue that is closed; it is not `enabled` */
  issueClosed: Type.Optional(Type.Boolean()),
  /** the language and the heading of a document in which it was found */
  section: Type.Optional(Exact({ locale: Words(LOCALES), anchor: Type.Union([Type.String(), Type.Null()]) })),
});
export type SearchHit = Static<typeof SearchHit>;

export const SearchGroup = Exact({
  kind: Words(SEARCH_KINDS),
  items: Type.Array(SearchHit),
  /** there are further matches */
  more: Type.Boolean(),
});
export type SearchGroup = Static<typeof SearchGroup>;

export const searchEndpoints = {
  search: endpoint({
    id: 'search.find',
    method: 'GET',
    path: '/api/auth/sys/search',
    policy: { route: 'common', row: 'scope' },
    effect: 'list',
    summary:
      'Find devices, sites, customers and users by name, SN, code or pinyin, documents by their text, and issues by number and title. Contains only kinds that the caller may list and open',
    nameZh: '全局搜索',
    query: Exact({
      search: Type.String({ minLength: 1, maxLength: 100 }),
      /** maximum number of matches of each kind */
      limit: Type.Integer({ minimum: 1, maximum: 20, default: SEARCH_LIMIT }),
    }),
    answer: Exact({ groups: Type.Array(SearchGroup) }),
  }),
};
