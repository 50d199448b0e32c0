import { documentEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { frequentCodes, readCodeStatistics } from '../alarms/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import { attachment, dayStamp } from '../platform/http/serve/attachment.ts';
import { lasting } from '../platform/http/serve/lasting.ts';
import { serve } from '../platform/http/serve/serve.ts';
import { exportDocuments, importDocuments } from './archive/archive.service.ts';
import { explainedCodes } from './pages/explained.ts';
import type { PagesService } from './pages/pages.service.ts';
import { bindingsOf } from './pages/pages.store.ts';
import { searchDocuments } from './search/search.service.ts';
import type { TextsService } from './texts/texts.service.ts';

interface Parts {
  db: Kysely<Database>;
  clock: Clock;
  pages: PagesService;
  texts: TextsService;
}

/** Documents: pages, texts in the editor, search, statistics of codes, and folders of Markdown files. */
export function documentsRoutes(app: FastifyInstance, { db, clock, pages, texts }: Parts): void {
  serve(app, documentEndpoints.readDocumentHome, ({ caller, locale }) => pages.home(caller, locale));
  serve(app, documentEndpoints.searchDocuments, ({ caller, query }) => searchDocuments(db, caller, query));
  serve(app, documentEndpoints.listDocuments, ({ caller, locale, query }) => pages.list(caller, locale, query));
  serve(app, documentEndpoints.readDocument, ({ caller, locale, query }) => pages.read(caller, locale, query));
  serve(app, documentEndpoints.explainCodes, ({ caller, locale, query }) => pages.explain(caller, locale, query));
  serve(app, documentEndpoints.listUnexplainedCodes, async ({ caller, query }) => {
    const codes = await frequentCodes(db, caller.scope);
    const explained = await explainedCodes(
      db,
      codes.map(({ code }) => code),
    );
    const missing = codes.filter(({ code }) => !explained.has(code));
    const start = (query.page - 1) * query.pageSize;
    return { items: missing.slice(start, start + query.pageSize), total: missing.length };
  });
  serve(app, documentEndpoints.createDocument, ({ caller, body }) => pages.create(caller, body));
  serve(app, documentEndpoints.updateDocument, ({ caller, params, body }) => pages.edit(caller, params.id, body));
  serve(app, documentEndpoints.enableDocument, async ({ caller, params }) => {
    await pages.enable(caller, params.id);
    return null;
  });
  serve(app, documentEndpoints.disableDocument, async ({ caller, params }) => {
    await pages.disable(caller, params.id);
    return null;
  });
  serve(app, documentEndpoints.deleteDocument, async ({ caller, params }) => {
    await pages.remove(caller, params.id);
    return null;
  });
  serve(app, documentEndpoints.voteDocument, ({ caller, params, body }) => pages.vote(caller, params.id, body.helped));
  serve(app, documentEndpoints.readCodeStatistics, async ({ caller, params }) => {
    const codes = (await bindingsOf(db, params.id)).map(({ key }) => key);
    return await readCodeStatistics(db, caller.scope, codes);
  });

  serve(app, documentEndpoints.readText, ({ caller, params }) => texts.read(caller, params));
  serve(app, documentEndpoints.saveText, ({ caller, params, body }) => texts.save(caller, params, body));
  serve(app, documentEndpoints.saveDraft, ({ caller, params, body }) => texts.saveDraft(caller, params, body));
  serve(app, documentEndpoints.discardDraft, async ({ caller, params }) => {
    await texts.discardDraft(caller, params);
    return null;
  });
  serve(app, documentEndpoints.announceEditing, ({ caller, params, body }) =>
    texts.announce(caller, params, body.open),
  );
  serve(app, documentEndpoints.listVersions, ({ params, query }) => texts.versions(params, query));
  serve(app, documentEndpoints.readVersion, ({ params }) => texts.version(params, params.version));
  serve(app, documentEndpoints.restoreVersion, ({ caller, params }) => texts.restore(caller, params, params.version));

  serve(app, documentEndpoints.exportDocuments, async ({ caller, query, request, reply }) => {
    const ids = query.ids?.split(',').map(Number);
    attachment(reply, `documents-${dayStamp(clock.now())}.zip`, 'application/zip');
    void reply.send(lasting(request, exportDocuments(db, caller, { categoryId: query.categoryId, ids })));
    return null;
  });
  serve(app, documentEndpoints.importDocuments, ({ caller, body }) => importDocuments(db, caller, body));
}
