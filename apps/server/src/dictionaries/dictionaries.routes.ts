import { dictionaryEndpoints as endpoints } from '@chargehand/contract';
import { DICTIONARIES, type Dictionary } from '@chargehand/domain';
import type { FastifyInstance } from 'fastify';
import { notFound } from '../platform/http/problem.ts';
import { serve } from '../platform/http/serve/serve.ts';
import { serveWorkbook } from '../platform/http/serve/serve-workbook.ts';
import type { DictionariesService } from './dictionaries.service.ts';

/** The dictionaries, their history, and the names that pages show. */
export function dictionariesRoutes(app: FastifyInstance, dictionaries: DictionariesService): void {
  serve(app, endpoints.readDictionaryNames, () => dictionaries.names());
  serve(app, endpoints.listDictionary, async ({ params }) => dictionaries.list(named(params.dictionary)));
  serve(app, endpoints.listRegionEntries, ({ locale, query }) => dictionaries.regions(locale, query));
  serve(app, endpoints.createDictionaryEntry, async ({ caller, params, body }) =>
    dictionaries.create(caller, named(params.dictionary), body),
  );
  serve(app, endpoints.updateDictionaryEntry, async ({ caller, params, body }) =>
    dictionaries.update(caller, named(params.dictionary), body),
  );
  serve(app, endpoints.removeDictionaryEntry, async ({ caller, params, query }) =>
    dictionaries.remove(caller, named(params.dictionary), query),
  );
  serve(app, endpoints.readDictionaryUses, async ({ params, query }) =>
    dictionaries.uses(named(params.dictionary), query.code),
  );
  serveWorkbook(app, endpoints.exportDictionary, ({ params, locale }) =>
    dictionaries.workbook(inFile(params.dictionary), locale),
  );
  serve(app, endpoints.importDictionary, async ({ caller, params, body }) =>
    dictionaries.imported(caller, inFile(params.dictionary), body),
  );
  serve(app, endpoints.listDictionaryChanges, async ({ params, query }) =>
    dictionaries.changes(named(params.dictionary), query),
  );
  serve(app, endpoints.undoDictionaryChange, ({ caller, params }) => dictionaries.undo(caller, params.id));
}

/** @throws {Problem} notFound */
function named(name: string): Dictionary {
  const dictionary = DICTIONARIES.find((one) => one === name);
  if (dictionary === undefined) throw notFound('dictionary');
  return dictionary;
}

/** A dictionary that can be in a file: a file has no column for the region above. @throws {Problem} notFound */
function inFile(name: string): Dictionary {
  const dictionary = named(name);
  if (dictionary === 'regions') throw notFound('dictionary');
  return dictionary;
}
