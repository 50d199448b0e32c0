import { randomUUID } from 'node:crypto';
import { EMPTY_CONTENT } from '@chargehand/domain';
import { zipOf } from '../files/zip.ts';
import type { SiteName } from '../world.ts';
import { CUSTOMER_OF, type EndpointCase, fresh, type Ground } from './ground.ts';

const newCategory = async ({ db }: Ground) => {
  const row = db.insertInto('document_categories').values({
    ...{ parent_id: null, position: 1, name_en: fresh('Category'), name_zh: fresh('分类') },
  });
  return (await row.returning('id').executeTakeFirstOrThrow()).id;
};

/** A document of the site's customer, or without a site of the platform, that every level reads, with an English text. `expected.ts` has its levels. */
const newDocument = async (ground: Ground, site: SiteName | null) => {
  const { db, world } = ground;
  const row = db.insertInto('documents').values({
    ...{ name: fresh('Document'), customer_id: site && world.customers[CUSTOMER_OF[site]], type: 100 },
    ...{ category_id: await newCategory(ground), read_level: 5, write_level: 3 },
    ...{ icon: null, shipped: null, created_by: null, created_by_name: 'case', updated_by_name: 'case' },
  });
  const { id } = await row.returning('id').executeTakeFirstOrThrow();
  const text = { document_id: id, locale: 'en-US' as const, version: 1, title: 'Case', description: '' };
  const body = JSON.stringify(EMPTY_CONTENT) as never;
  await db
    .insertInto('document_texts')
    .values({ ...text, body, follows: null, updated_by_name: 'case' })
    .execute();
  const by = { restored: null, created_by: null, created_by_name: 'case' };
  await db
    .insertInto('document_versions')
    .values({ ...text, body, ...by })
    .execute();
  return { params: { id } };
};

const newText = async (ground: Ground, site: SiteName) => {
  const { params } = await newDocument(ground, site);
  return { params: { ...params, locale: 'en-US' } };
};

const ofDocuments: EndpointCase = {
  call: async (ground, site) => ({ body: { ids: [(await newDocument(ground, site)).params.id] } }),
};

const saved = { title: 'Case', description: '', body: EMPTY_CONTENT, baseVersion: 1 };

/** Documents and their categories. */
export const DOCUMENT_CASES: Record<string, EndpointCase> = {
  'documentCategories.list': {},
  'documentCategories.create': {
    call: () => ({ body: { parentId: null, nameEn: fresh('Category'), nameZh: fresh('分类') } }),
  },
  'documentCategories.update': {
    call: async (ground) => ({ params: { id: await newCategory(ground) }, body: { nameEn: fresh('Category') } }),
  },
  'documentCategories.move': {
    call: async (ground) => ({ params: { id: await newCategory(ground) }, body: { parentId: null, index: 0 } }),
  },
  'documentCategories.delete': { call: async (ground) => ({ params: { id: await newCategory(ground) } }) },
  'documents.home': {},
  'documents.search': { call: () => ({ query: { search: 'case' } }) },
  'documents.list': {},
  'documents.select': {},
  'documents.read': {
    call: async (ground) => ({ query: { id: (await newDocument(ground, null)).params.id } }),
  },
  'documents.explain': { call: () => ({ query: { type: 100, codes: 'GroundFailure' } }) },
  'documents.unexplained': {},
  'documents.create': {
    call: async (ground, site) => ({
      body: {
        customerId: ground.world.customers[CUSTOMER_OF[site]],
        ...{ name: fresh('Document'), type: null, categoryId: await newCategory(ground), readLevel: 5, writeLevel: 4 },
        ...{ locale: 'en-US', title: 'Case' },
      },
    }),
  },
  'documents.update': {
    call: async (ground, site) => ({ ...(await newDocument(ground, site)), body: { name: fresh('Document') } }),
  },
  'documents.enable': { call: newDocument },
  'documents.disable': { call: newDocument },
  'documents.delete': { call: newDocument },
  'documents.enableMany': ofDocuments,
  'documents.disableMany': ofDocuments,
  'documents.deleteMany': ofDocuments,
  'documents.text': { call: newText },
  'documents.saveText': { call: async (ground, site) => ({ ...(await newText(ground, site)), body: saved }) },
  'documents.saveDraft': {
    call: async (ground, site) => ({
      ...(await newText(ground, site)),
      body: { ...saved, draftId: randomUUID(), replaces: null },
    }),
  },
  'documents.discardDraft': { call: newText },
  'documents.announceEditing': {
    call: async (ground, site) => ({ ...(await newText(ground, site)), body: { open: true, windowId: randomUUID() } }),
  },
  'documents.versions': { call: newText },
  'documents.version': {
    call: async (ground, site) => ({ params: { ...(await newText(ground, site)).params, version: 1 } }),
  },
  'documents.restoreVersion': {
    call: async (ground, site) => ({ params: { ...(await newText(ground, site)).params, version: 1 } }),
  },
  'documents.vote': {
    call: async (ground, site) => ({ ...(await newDocument(ground, site)), body: { helped: true } }),
  },
  'documents.statistics': { call: newDocument },
  'documents.export': {},
  'documents.checkExport': {},
  'documents.import': {
    call: async (ground, site) => ({
      body: {
        customerId: ground.world.customers[CUSTOMER_OF[site]],
        categoryId: await newCategory(ground),
        content: zipOf({ [`${fresh('Document')}.en-US.md`]: '# Case' }).toString('base64'),
      },
    }),
  },
};
