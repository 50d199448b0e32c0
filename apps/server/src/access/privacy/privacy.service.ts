import type {
  BodyOf,
  Locale,
  PolicyDetail,
  privacyEndpoints,
  QueryOf,
  ResultOf,
  WithDates,
} from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { listOrder, pageOf, searchOf } from '../../platform/http/serve/list-queries.ts';
import { revisionOf } from '../../platform/http/serve/revision.ts';
import type { Workbook } from '../../platform/http/serve/serve-workbook.ts';
import type { Operation } from '../../ports/action-log.ts';
import {
  currentPolicy,
  dropDraft,
  findDraft,
  findPolicy,
  listAcceptances,
  listAcceptancesAfter,
  listPolicies,
  lockPublishing,
  type PolicyRecord,
  type PolicyTexts,
  publishNextPolicy,
  writeDraft,
} from './privacy.store.ts';
import { acceptanceSheet } from './privacy-export.ts';

type Endpoints = typeof privacyEndpoints;
export type PrivacyService = ReturnType<typeof privacyService>;

/**
 * The versions of the privacy policy. All customers share them, and only users of the platform vendor write them. The
 * database prevents changes of published versions. The guard requires the newest one.
 */
export function privacyService(db: Kysely<Database>) {
  return {
    async list(query: QueryOf<Endpoints['listPolicies']>): Promise<ResultOf<Endpoints['listPolicies']>> {
      const { items, total } = await listPolicies(db, pageOf(query));
      return { items: items.map(rowOf), total };
    },

    async read(version: number): Promise<WithDates<PolicyDetail>> {
      const policy = await findPolicy(db, version);
      if (!policy) throw notFound('privacyPolicy');
      return { ...rowOf(policy), contentEn: policy.content_en, contentZh: policy.content_zh };
    },

    async draft(): Promise<ResultOf<Endpoints['readPolicyDraft']>> {
      const draft = await findDraft(db);
      if (!draft) return null;
      const { content_en: contentEn, content_zh: contentZh, updated_at, updated_by: updatedBy } = draft;
      return { contentEn, contentZh, updatedAt: updated_at, updatedBy, revision: textsRevision(draft) };
    },

    /** @throws {Problem} noPermission, changedMeanwhile */
    async saveDraft(
      caller: Caller,
      body: BodyOf<Endpoints['savePolicyDraft']>,
    ): Promise<ResultOf<Endpoints['savePolicyDraft']>> {
      const texts = textsOf(body);
      const after = texts.content_en === '' && texts.content_zh === '' ? null : texts;
      await db.transaction().execute(async (trx) => {
        await lockPublishing(trx);
        const before = await findDraft(trx);
        if (draftRevision(before) !== draftRevision(after)) requireDraft(before, body.revision);
        if (after) await writeDraft(trx, after, caller.userName);
        else await dropDraft(trx);
        const lengths = before ? lengthsOf(before) : undefined;
        await logPolicy(trx, caller, 'edit', 'draft', lengths, lengthsOf(texts));
      });
      return { revision: draftRevision(after) };
    },

    /**
     * Publishes the next version and deletes the draft. Of two concurrent calls, the second gets the next number.
     * @throws {Problem} noPermission, fieldRequired for an empty text, policySame for an unchanged text,
     * changedMeanwhile
     */
    async publish(caller: Caller, body: BodyOf<Endpoints['publishPolicy']>): Promise<{ version: number }> {
      const texts = textsOf(body);
      if (texts.content_en === '') throw new Problem('fieldRequired', { field: 'contentEn' });
      if (texts.content_zh === '') throw new Problem('fieldRequired', { field: 'contentZh' });
      return await db.transaction().execute(async (trx) => {
        await lockPublishing(trx);
        const present = await currentPolicy(trx);
        if (present && present.content_en === texts.content_en && present.content_zh === texts.content_zh) {
          throw new Problem('policySame', { values: { version: present.version } });
        }
        requireDraft(await findDraft(trx), body.revision);
        const version = await publishNextPolicy(trx, texts, caller.userName);
        await dropDraft(trx);
        await logPolicy(trx, caller, 'new', String(version), undefined, { version, ...lengthsOf(texts) });
        return { version };
      });
    },

    async acceptances(query: QueryOf<Endpoints['listAcceptances']>): Promise<ResultOf<Endpoints['listAcceptances']>> {
      const order = listOrder(query.sort, '-acceptedAt');
      return await listAcceptances(db, filtersOf(query), order, pageOf(query));
    },

    /** The whole filtered list. */
    acceptanceWorkbook(locale: Locale, query: QueryOf<Endpoints['exportAcceptances']>): Workbook {
      const order = listOrder(query.sort, '-acceptedAt');
      return acceptanceSheet(locale, (after, limit) => listAcceptancesAfter(db, filtersOf(query), order, after, limit));
    },
  };
}

function textsOf({ contentEn, contentZh }: { contentEn: string; contentZh: string }): PolicyTexts {
  return { content_en: contentEn.trim(), content_zh: contentZh.trim() };
}

function textsRevision({ content_en, content_zh }: PolicyTexts): string {
  return revisionOf({ content_en, content_zh });
}

/** The tag of a draft; null if there is none. */
function draftRevision(draft: PolicyTexts | null): string | null {
  return draft && textsRevision(draft);
}

/** @throws {Problem} changedMeanwhile if the draft has changed since the caller read it */
function requireDraft(draft: PolicyTexts | null, seen: string | null | undefined): void {
  if (seen !== undefined && seen !== draftRevision(draft)) throw new Problem('changedMeanwhile', { field: 'revision' });
}

/** The action log stores a short form; the version has the full text. */
function lengthsOf({ content_en, content_zh }: PolicyTexts) {
  return { charactersEn: [...content_en].length, charactersZh: [...content_zh].length };
}

function filtersOf(query: { search?: string; version?: number }) {
  return { search: searchOf(query.search), version: query.version };
}

function rowOf({ version, published_at, published_by, accepted }: Omit<PolicyRecord, keyof PolicyTexts>) {
  return { id: version, version, publishedAt: published_at, publishedBy: published_by, accepted };
}

async function logPolicy(
  trx: Kysely<Database>,
  caller: Caller,
  operation: Operation,
  objectId: string,
  before: unknown,
  after: unknown,
): Promise<void> {
  const subject = {
    objectType: 'privacyPolicy' as const,
    objectId,
    objectName: objectId,
    customerId: null,
    siteId: null,
  };
  await logAction(trx, caller, { operation, ...subject, before, after });
}
