import type { Kysely } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import type { Room } from '../platform/room.ts';
import type { Events } from '../ports/events.ts';
import { evidenceService } from './evidence/evidence.service.ts';
import { issueChanges } from './issue-changes.ts';
import { issuesRoutes } from './issues.routes.ts';
import { listService } from './list/list.service.ts';
import { viewsService } from './list/views.service.ts';
import { createService } from './work/create.service.ts';
import { linksService } from './work/links.service.ts';
import { remind } from './work/reminders.ts';
import { workService } from './work/work.service.ts';
import './tables.ts';

export { timelineEvents } from './timeline-events.ts';

/** How often due dates are looked at. Milliseconds. */
const REMIND_MS = 60_000;

/** Issues: reported problems with their timeline, their links and the times they took. */
export function issuesRoom(parts: { db: Kysely<Database>; events: Events; clock: Clock; log: Log }): Room {
  const { db, events, clock, log } = parts;
  const changes = issueChanges(db, events);
  const reminding = clock.repeat(() => remind(db, clock.now()), {
    everyMs: REMIND_MS,
    log,
    failed: 'reminders of issues wait for the next round',
  });
  return {
    name: 'issues',
    role: 'jobs',
    routes: (app) =>
      issuesRoutes(app, {
        db,
        issues: listService(db),
        evidence: evidenceService(db),
        views: viewsService(db),
        create: createService({ db, clock, changes }),
        work: workService({ db, clock, changes }),
        links: linksService({ db, changes }),
      }),
    start: () => reminding.startLater(),
    stop: () => reminding.stop(),
  };
}
