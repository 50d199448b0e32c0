import type {
  IssueDetail,
  IssueEntry,
  issueEndpoints,
  MatchingRows,
  QueryOf,
  ResultOf,
  WithDates,
} from '@chargehand/contract';
import { ISSUE_STATUSES, permits } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { readLabelNames } from '../../dictionaries/index.ts';
import { withShownMentions } from '../../documents/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import {
  listOrder,
  MATCHING_ROWS_READ,
  matchingRows,
  pageOf,
  searchOf,
} from '../../platform/http/serve/list-queries.ts';
import { revisionOf } from '../../platform/http/serve/revision.ts';
import { listReports } from '../reports/reports.store.ts';
import { editedOf } from '../work/issue-values.ts';
import {
  type IssueFilters,
  listColumn,
  listEnds,
  listIssues,
  listLabels,
  readTimes,
  selectIssues,
} from './issues.store.ts';
import {
  type EntryRecord,
  listCommentVersions,
  listEntries,
  listLinks,
  listMerged,
  listWatchers,
  readIssue,
} from './read.store.ts';

type Endpoints = typeof issueEndpoints;
export type ListService = ReturnType<typeof listService>;

/** Issues in each column of the board. */
const BOARD_ROWS = 50;
/** Alarm codes of one request. */
const CODES = 50;

/** Reads issues: lists, the board, one issue with its timeline, labels and times. */
export function listService(db: Kysely<Database>) {
  return {
    async list(caller: Caller, query: QueryOf<Endpoints['listIssues']>): Promise<ResultOf<Endpoints['listIssues']>> {
      const { sort, page, pageSize, ...filters } = query;
      const order = listOrder(sort, '-createdAt');
      const { items, open, closed } = await listIssues(
        db,
        caller,
        await enteredFilters(db, filters),
        order,
        pageOf({ page, pageSize }),
      );
      const total = { open, closed, all: open + closed }[filters.tab ?? 'open'];
      return { items, total, counts: { open, closed } };
    },

    async board(
      caller: Caller,
      query: QueryOf<Endpoints['readIssueBoard']>,
    ): Promise<ResultOf<Endpoints['readIssueBoard']>> {
      const filters = await enteredFilters(db, query);
      const columns = await Promise.all(
        ISSUE_STATUSES.map(async (status) => {
          const { items, total } = await listColumn(db, caller, filters, status, BOARD_ROWS);
          return { status, total, items };
        }),
      );
      return { columns };
    },

    /** @throws {Problem} selectionTooLarge */
    async select(caller: Caller, query: QueryOf<Endpoints['selectIssues']>): Promise<MatchingRows> {
      return matchingRows(await selectIssues(db, caller, await enteredFilters(db, query), MATCHING_ROWS_READ));
    },

    async labels({ scope }: Caller): Promise<ResultOf<Endpoints['listIssueLabels']>> {
      const [found, names] = await Promise.all([listLabels(db, scope), readLabelNames(db)]);
      const counts = new Map<string, number>();
      // Texts that are names of an entry count as this entry.
      for (const { name, count } of found) {
        const code = names.codeOf(name);
        counts.set(code, (counts.get(code) ?? 0) + count);
      }
      const items = [...counts].map(([name, count]) => ({ name, count }));
      return { items: items.sort((a, b) => b.count - a.count) };
    },

    /** How issues of alarm codes ended. @throws {Problem} fieldItems for too many codes */
    async ends(
      { scope }: Caller,
      { codes }: QueryOf<Endpoints['readIssueEnds']>,
    ): Promise<ResultOf<Endpoints['readIssueEnds']>> {
      const wanted = [...new Set(codes.split(',').map((code) => code.trim()))].filter(Boolean);
      if (wanted.length > CODES) throw new Problem('fieldItems', { field: 'codes', values: { min: 1, max: CODES } });
      const items = await listEnds(db, scope, wanted);
      return { closed: items.reduce((sum, { count }) => sum + count, 0), items };
    },

    async times(
      { scope }: Caller,
      { from, to, ...place }: QueryOf<Endpoints['readIssueTimes']>,
    ): Promise<ResultOf<Endpoints['readIssueTimes']>> {
      const period = {
        from: from === undefined ? undefined : new Date(from),
        to: to === undefined ? undefined : new Date(to),
      };
      return { items: await readTimes(db, scope, { ...period, ...place }) };
    },

    async read(caller: Caller, id: number): Promise<WithDates<IssueDetail>> {
      const issue = await readIssue(caller.scope, db, id);
      if (!issue) throw notFound('issue');
      const mayEdit = !caller.readOnly && permits(caller, ['auth_issue_edit']);
      const [links, merged, watchers, reports] = await Promise.all([
        listLinks(caller.scope, db, id),
        listMerged(caller.scope, db, id),
        listWatchers(db, caller, id),
        listReports(caller.scope, db, id, mayEdit),
      ]);
      const shown = watchers.filter((one) => one.shown);
      const [body = null] = await withShownMentions(db, caller, [issue.body]);
      const { createdById, ...row } = issue;
      const state = { ...row, createdBy: createdById, assigneeId: issue.assignee?.id ?? null };
      return {
        ...row,
        ...issue,
        ...{ body, links, merged, reports },
        watching: watchers.some((one) => one.id === caller.userId),
        watchers: shown.map(({ id, name }) => ({ id, name })),
        otherWatchers: watchers.length - shown.length,
        revision: revisionOf(editedOf(state)),
        may: { edit: mayEdit },
      };
    },

    async timeline(
      caller: Caller,
      id: number,
      { before, after, limit }: QueryOf<Endpoints['listIssueEntries']>,
    ): Promise<ResultOf<Endpoints['listIssueEntries']>> {
      const entries = await listEntries(caller.scope, db, id, { before, after }, limit);
      const bodies = await withShownMentions(
        db,
        caller,
        entries.map(({ body }) => body),
      );
      return {
        items: entries.map((entry, index) => toEntry(caller, { ...entry, body: bodies[index] ?? null })),
        next: after === undefined && entries.length === limit ? (entries.at(-1)?.id ?? null) : null,
      };
    },

    async versions(
      caller: Caller,
      id: number,
      entryId: number,
    ): Promise<ResultOf<Endpoints['listIssueCommentVersions']>> {
      const versions = await listCommentVersions(db, id, entryId);
      const bodies = await withShownMentions(
        db,
        caller,
        versions.map(({ body }) => body),
      );
      return {
        items: versions.map((one, index) => ({
          ...one,
          body: bodies[index] ?? one.body,
        })),
      };
    },
  };
}

/** Filters as users enter them. */
export type EnteredFilters = Omit<IssueFilters, 'labels'> & { label?: string | undefined };

/** Filters as the store takes them. A label is found by its code and by each of its names. */
export async function enteredFilters(db: Kysely<Database>, { label, ...query }: EnteredFilters): Promise<IssueFilters> {
  const labels = label === undefined ? undefined : (await readLabelNames(db)).spellings(label);
  return { ...query, labels, search: searchOf(query.search) };
}

function toEntry(caller: Caller, entry: EntryRecord): WithDates<IssueEntry> {
  return {
    ...entry,
    event: entry.event as IssueEntry['event'],
    own: entry.userId === caller.userId,
  };
}
