import type { Kysely } from 'kysely';
import type { AttachmentsRoom } from '../attachments/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import type { ObjectStore } from '../platform/objects/store.ts';
import type { Room } from '../platform/room.ts';
import type { Events } from '../ports/events.ts';
import type { Pictures } from '../ports/pictures.ts';
import type { SearchSource } from '../ports/search-source.ts';
import { categoriesRoutes } from './categories/categories.routes.ts';
import { categoriesService } from './categories/categories.service.ts';
import { documentsRoutes } from './documents.routes.ts';
import { pagesService } from './pages/pages.service.ts';
import { forgetOldReads } from './pages/pages.store.ts';
import { documentSource } from './search/document-source.ts';
import { indexJob } from './search/index-job.ts';
import { ensureShippedDocuments } from './shipped/shipped.service.ts';
import { textsService } from './texts/texts.service.ts';
import { forgetOldEditors } from './texts/texts.store.ts';
import './tables.ts';

export { codeExplainer, documentFinder } from './pages/document-finder.ts';
export { withShownMentions } from './texts/mentions.store.ts';

/** How often former readers and editors are forgotten. Milliseconds. */
const SWEEP_MS = 3_600_000;

/** Documents: what a code means and what to do about it, in two languages. */
export function documentsRoom(parts: {
  db: Kysely<Database>;
  store: ObjectStore;
  attachments: Pick<AttachmentsRoom, 'downloads' | 'openContent' | 'arrive' | 'settle' | 'settled'>;
  events: Events;
  pictures: Pictures;
  clock: Clock;
  log: Log;
  /** adds and updates the documents that come with the product */
  shipped: boolean;
}): Room & { search: SearchSource } {
  const { db, store, attachments, events, pictures, clock, log, shipped } = parts;
  const pages = pagesService({ db, pictures });
  const texts = textsService(db);
  const sweep = async () => {
    await clock.deleteOld('documentReads', (now) => forgetOldReads(db, now));
    await forgetOldEditors(db);
  };
  const sweeping = clock.repeat(sweep, {
    job: 'documentCleanup',
    everyMs: SWEEP_MS,
    log,
    failed: 'the sweep of documents failed',
  });
  const indexing = indexJob({ db, clock, log });
  let adding: Promise<void> | undefined;
  return {
    name: 'documents',
    search: documentSource(db),
    role: 'jobs',
    routes(app) {
      categoriesRoutes(app, categoriesService(db), events);
      documentsRoutes(app, { db, store, clock, events, pages, texts, attachments });
    },
    start() {
      sweeping.startLater();
      void indexing.start();
      // In the background, because nothing else needs the documents and the first start parses all of them.
      if (!shipped) return;
      adding = ensureShippedDocuments(db).catch((error) =>
        log.error({ err: error }, 'shipped documents were not added'),
      );
    },
    async stop() {
      await adding;
      await sweeping.stop();
      await indexing.stop();
    },
  };
}
