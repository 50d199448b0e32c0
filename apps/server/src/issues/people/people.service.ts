import type { issueEndpoints, QueryOf, ResultOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound } from '../../platform/http/problem.ts';
import { searchOf } from '../../platform/http/serve/list-queries.ts';
import { readIssue } from '../list/read.store.ts';
import { type Origin, subjectOf } from '../work/new-issue.ts';
import { type IssuePlace, listReaders } from './readers.store.ts';

type Endpoint = (typeof issueEndpoints)['listIssueUsers'];
type Query = QueryOf<Endpoint>;
type Users = ResultOf<Endpoint>;

/** Users in the list of those who can be chosen. */
const USERS = 50;

export type PeopleService = ReturnType<typeof peopleService>;

/** Lists users who can be assigned, mentioned or made watchers. */
export function peopleService(db: Kysely<Database>) {
  async function readers(caller: Caller, place: IssuePlace, { search }: Query): Promise<Users> {
    return { items: await listReaders(db, caller, place, { search: searchOf(search), limit: USERS }) };
  }

  return {
    /** Of an issue that exists. */
    async ofIssue(caller: Caller, id: number, query: Query): Promise<Users> {
      const issue = await readIssue(caller.scope, db, id);
      if (!issue) throw notFound('issue');
      return await readers(caller, issue, query);
    },

    /** Of a new issue. The policy has checked what it is about. */
    async ofNew(caller: Caller, origin: Origin, query: Query): Promise<Users> {
      const { customerId, siteId } = await subjectOf(db, origin);
      return await readers(caller, { id: null, customerId, siteId }, query);
    },
  };
}
