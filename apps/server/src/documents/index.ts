import { collectNow } from '../platform/memory/garbage-collection.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';
import { categoriesRoutes } from './categories/categories.routes.ts';
import { categoriesService } from './categories/categories.service.ts';
import { documentsRoutes } from './documents.routes.ts';
import { pagesService } from './pages/pages.service.ts';
import { forgetOldReads } from './pages/pages.store.ts';
import { documentSource } from './search/document-source.ts';
import { indexJob } from './search/index-job.ts';
import { ensureShippedDocuments } from './shipped/shipped.service.ts';
import { bindNamedCodes } from './shipped/shipped.store.ts';
import { textsService } from './texts/texts.service.ts';
import { forgetOldEditors } from './texts/texts.store.ts';
import './tables.ts';

export { codeExplainer, documentFinder } from './pages/document-finder.ts';
export { bindNamedCodes, type NamedCode } from './shipped/shipped.store.ts';
export { withShownMentions } from './texts/mentions.store.ts';

/** How often former readers and editors are forgotten. Milliseconds. */
const SWEEP_MS = 3_600_000;

/** Documents: what a code means and what to do about it, in two languages. */
export const documents = declareRoom({
  name: 'documents',
  needs: ['db', 'store', 'attachments', 'events', 'pictures', 'clock', 'log', 'config', 'namedCodes'],
  provides: ['documentSearch'],
  open({ config, namedCodes, ...parts }) {
    const { db, store, attachments, events, pictures, clock, log } = parts;
    const pages = pagesService({ db, events, pictures });
    const texts = textsService({ db, events });
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
    const addShipped = async () => {
      const texts = await ensureShippedDocuments(db);
      await bindNamedCodes(db, namedCodes);
      if (texts === 0) return;
      // Otherwise 15 MB of parsed texts stay in memory for hours on a server without devices.
      collectNow();
      log.info({ texts }, 'shipped documents added');
    };
    return {
      documentSearch: documentSource(db),
      role: 'jobs',
      routes(app) {
        categoriesRoutes(app, categoriesService({ db, events }));
        documentsRoutes(app, { db, store, clock, events, pages, texts, attachments });
      },
      start() {
        sweeping.startLater();
        void indexing.start();
        // In the background, because nothing else needs the documents and the first start parses all of them.
        if (!config.shippedDocuments) return;
        adding = addShipped().catch((error) => log.error({ err: error }, 'shipped documents were not added'));
      },
      async stop() {
        await adding;
        await sweeping.stop();
        await indexing.stop();
      },
    };
  },
});
