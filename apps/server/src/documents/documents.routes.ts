import { documentEndpoints, listEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { frequentCodes, readCodeStatistics } from '../alarms/index.ts';
import type { AttachmentsRoom } from '../attachments/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import { attachment, dayStamp } from '../platform/http/serve/attachment.ts';
import { serve } from '../platform/http/serve/serve.ts';
import { serveBulk } from '../platform/http/serve/serve-bulk.ts';
import { whilePermitted } from '../platform/http/serve/while-permitted.ts';
import type { ObjectStore } from '../platform/objects/store.ts';
import type { Events } from '../ports/events.ts';
import { checkExport, exportDocuments } from './archive/export.service.ts';
import { importDocuments } from './archive/import.service.ts';
import { explainedCodes } from './pages/explained.ts';
import type { PagesService } from './pages/pages.service.ts';
import { bindingsOf } from './pages/pages.store.ts';
import { searchDocuments } from './search/search.service.ts';
import type { TextsService } from './texts/texts.service.ts';

interface Parts {
  db: Kysely<Database>;
  clock: Clock;
  events: Events;
  pages: PagesService;
  texts: TextsService;
  store: ObjectStore;
  attachments: Pick<AttachmentsRoom, 'downloads' | 'openContent' | 'arrive' | 'settle' | 'settled'>;
}

/** Documents: pages, texts in the editor, search, statistics of codes, and folders of Markdown files. */
export function documentsRoutes(app: FastifyInstance, parts: Parts): void {
  const { db, clock, pages, texts, attachments } = parts;
  serve(app, documentEndpoints.readDocumentHome, ({ caller, locale }) => pages.home(caller, locale));
  serve(app, documentEndpoints.searchDocuments, ({ caller, query }) => searchDocuments(db, caller, query));
  serve(app, documentEndpoints.listDocuments, ({ caller, locale, query }) => pages.list(caller, locale, query));
  serve(app, documentEndpoints.selectDocuments, ({ caller, locale, query }) => pages.select(caller, locale, query));
  serve(app, documentEndpoints.readDocument, ({ caller, locale, query }) => pages.read(caller, locale, query));
  serve(app, documentEndpoints.explainCodes, ({ caller, locale, query }) => pages.explain(caller, locale, query));
  serve(app, documentEndpoints.listUnexplainedCodes, async ({ caller, query }) => {
    const codes = await frequentCodes(db, caller.scope);
    const explained = await explainedCodes(
      db,
      caller,
      codes.map(({ code }) => code),
    );
    const missing = codes.filter(({ code }) => !explained.has(code));
    const start = (query.page - 1) * query.pageSize;
    return { items: missing.slice(start, start + query.pageSize), total: missing.length };
  });
  serve(app, documentEndpoints.createDocument, ({ caller, body }) => pages.create(caller, body));
  serve(app, documentEndpoints.updateDocument, ({ caller, params, body }) => pages.edit(caller, params.id, body));
  serve(app, documentEndpoints.enableDocument, ({ caller, params }) => pages.enable(caller, params.id));
  serve(app, documentEndpoints.disableDocument, ({ caller, params }) => pages.disable(caller, params.id));
  serve(app, documentEndpoints.deleteDocument, ({ caller, params }) => pages.remove(caller, params.id));
  serveBulk(app, listEndpoints.enableDocuments, pages.enable);
  serveBulk(app, listEndpoints.disableDocuments, pages.disable);
  serveBulk(app, listEndpoints.deleteDocuments, pages.remove);
  serve(app, documentEndpoints.voteDocument, ({ caller, params, body }) => pages.vote(caller, params.id, body.helped));
  serve(app, documentEndpoints.readCodeStatistics, async ({ caller, params }) => {
    const codes = (await bindingsOf(db, params.id)).map(({ key }) => key);
    return await readCodeStatistics(db, caller.scope, codes);
  });

  serve(app, documentEndpoints.readText, ({ caller, params }) => texts.read(caller, params));
  serve(app, documentEndpoints.saveText, ({ caller, params, body }) => texts.save(caller, params, body));
  serve(app, documentEndpoints.saveDraft, ({ caller, params, body }) => texts.saveDraft(caller, params, body));
  serve(app, documentEndpoints.discardDraft, ({ caller, params }) => texts.discardDraft(caller, params));
  serve(app, documentEndpoints.announceEditing, ({ caller, params, body }) => texts.announce(caller, params, body));
  serve(app, documentEndpoints.listVersions, ({ params, query }) => texts.versions(params, query));
  serve(app, documentEndpoints.readVersion, ({ caller, params }) => texts.version(caller, params, params.version));
  serve(app, documentEndpoints.restoreVersion, ({ caller, params }) => texts.restore(caller, params, params.version));

  serve(app, documentEndpoints.checkDocumentExport, async ({ caller, query }) => {
    const ids = query.ids?.split(',').map(Number);
    return await checkExport(db, attachments, caller, { categoryId: query.categoryId, ids });
  });
  serve(app, documentEndpoints.exportDocuments, async ({ caller, query, request, reply }) => {
    const ids = query.ids?.split(',').map(Number);
    const archive = await exportDocuments(db, attachments, caller, { categoryId: query.categoryId, ids });
    attachment(reply, `documents-${dayStamp(clock.now())}.zip`, 'application/zip');
    void reply.send(whilePermitted(request, archive));
    return null;
  });
  serve(app, documentEndpoints.importDocuments, ({ caller, body }) => importDocuments(parts, caller, body));
}
