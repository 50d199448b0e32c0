import { type BodyOf, type channelEndpoints, LOCALES, type QueryOf, type ResultOf } from '@chargehand/contract';
import {
  fillTemplate,
  MESSAGE_CHANNELS,
  MESSAGE_TYPES,
  TEMPLATE_PLACEHOLDERS,
  unknownPlaceholder,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { shownAs } from '../incidents/about.ts';
import { findCurrent } from '../incidents/current.ts';
import { findNames } from '../incidents/names.store.ts';
import { defaultTemplate, fillText, templateKey, templateOf, templateValues } from './channel-texts.ts';
import { deleteTemplate, latestIncidentOf, readTemplates, storeTemplate } from './templates.store.ts';

type Endpoints = typeof channelEndpoints;
export type TemplatesService = ReturnType<typeof templatesService>;

/** The texts of messages, of the product or as administrators changed them. */
export function templatesService(parts: { db: Kysely<Database>; urlOf: (path: string) => string }) {
  const { db, urlOf } = parts;

  const record = (trx: Kysely<Database>, caller: Caller, key: QueryOf<Endpoints['resetTemplate']>, after: unknown) =>
    logAction(trx, caller, {
      operation: 'edit',
      objectType: 'messageTemplate',
      objectId: templateKey(key.type, key.channel, key.locale),
      objectName: templateKey(key.type, key.channel, key.locale),
      customerId: null,
      siteId: null,
      after,
    });

  return {
    async list(): Promise<ResultOf<Endpoints['listTemplates']>> {
      const templates = await readTemplates(db);
      const items = MESSAGE_TYPES.flatMap((type) =>
        MESSAGE_CHANNELS.flatMap((channel) =>
          LOCALES.map((locale) => ({
            ...{ type, channel, locale },
            ...templateOf(templates, type, channel, locale),
            changed: templates.has(templateKey(type, channel, locale)),
          })),
        ),
      );
      return { items, placeholders: [...TEMPLATE_PLACEHOLDERS] };
    },

    async save(caller: Caller, body: BodyOf<Endpoints['saveTemplate']>): Promise<null> {
      check(body);
      const { subject } = body;
      await db.transaction().execute(async (trx) => {
        await storeTemplate(trx, body);
        await record(trx, caller, body, { subject, body: body.body });
      });
      return null;
    },

    async reset(caller: Caller, key: QueryOf<Endpoints['resetTemplate']>): Promise<null> {
      const { channel, locale } = key;
      await db.transaction().execute(async (trx) => {
        await deleteTemplate(trx, key);
        await record(trx, caller, key, defaultTemplate(channel, locale));
      });
      return null;
    },

    /** Filled with the latest event of the type, or with the names of the placeholders if there is none. */
    async preview(body: BodyOf<Endpoints['previewTemplate']>): Promise<ResultOf<Endpoints['previewTemplate']>> {
      check(body);
      const id = await latestIncidentOf(db, body.type);
      const incident = id === null ? undefined : (await findCurrent(db, [id])).map((one) => shownAs(one, undefined))[0];
      if (!incident) {
        const values = Object.fromEntries(TEMPLATE_PLACEHOLDERS.map((name) => [name, `[${name}]`])) as never;
        return { subject: fillTemplate(body.subject, values), body: fillTemplate(body.body, values), eventAt: null };
      }
      const names = await findNames(db, [incident]);
      const values = templateValues(incident, body.locale, names, urlOf('/manage/message/list'));
      const { title, text } = fillText(body, values);
      return { subject: title, body: text, eventAt: new Date(incident.openedAt).toISOString() };
    },
  };
}

/** @throws {Problem} templatePlaceholder */
function check(texts: { subject: string; body: string }): void {
  for (const field of ['subject', 'body'] as const) {
    const placeholder = unknownPlaceholder(texts[field]);
    if (placeholder === null) continue;
    const known = TEMPLATE_PLACEHOLDERS.map((name) => `{${name}}`).join(', ');
    throw new Problem('templatePlaceholder', { field, values: { placeholder: `{${placeholder}}`, known } });
  }
}
