import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Events } from '../ports/events.ts';
import { readChange } from './list/read.store.ts';

export interface IssueChanges {
  /** Sends the new values of an issue to those who see it. Call it after the commit. */
  changed(issue: { id: number; customerId: number; siteId: number | null }): Promise<void>;
}

/** Announces changes of issues to consoles. */
export function issueChanges(db: Kysely<Database>, events: Events): IssueChanges {
  return {
    async changed({ id, customerId, siteId }) {
      const payload = await readChange(db, id);
      events.publish('issue.changed', { id, payload }, { customerId, siteId });
    },
  };
}
