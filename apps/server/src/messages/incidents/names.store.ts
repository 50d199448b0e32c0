import type { BothNames } from '@chargehand/contract';
import { type Dictionary, dictionaryDefault, type IncidentCause } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { NAME_OF_CODE, NAMES_OF_ALARM } from '../../alarms/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { unnested } from '../../platform/database/unnested.ts';
import { type Explanation, findExplanations } from './explanations.store.ts';
import type { IncidentRecord, TypeFacts } from './incidents.store.ts';

/** An entry of a dictionary as programs and people read it. */
export interface NamedCode extends BothNames {
  code: string;
}

/** The end of the issue about an alarm, or of the issue that was closed. */
export interface IssueEnd {
  cause: NamedCode | null;
  remedy: NamedCode | null;
}

/** The names that texts need. Devices and sites are found by their id. */
export interface Names {
  devices: ReadonlyMap<number, string>;
  sites: ReadonlyMap<number, string>;
  customers: ReadonlyMap<number, string>;
  /** the names of the code of the alarm that an incident is about */
  alarmOf(incident: Subject): BothNames | undefined;
  /** what its alarm means, and what to do first */
  explanationOf(incident: Subject): Explanation | undefined;
  endOf(incident: Subject): IssueEnd;
}

type Subject = Pick<TypeFacts, 'subjectKind' | 'subjectId' | 'data'>;

/** What an issue that was closed has, with the names of the installation. */
interface StoredEnd {
  cause: string | null;
  causeEn: string | null;
  causeZh: string | null;
  remedy: string | null;
  remedyEn: string | null;
  remedyZh: string | null;
}

interface Row extends StoredEnd, BothNames {
  kind: 'device' | 'site' | 'customer' | 'alarm' | 'issue';
  id: string;
}

/** The names for the texts of any number of incidents, as they are now, with one query. */
export async function findNames(
  db: Kysely<Database>,
  incidents: readonly Pick<IncidentRecord, 'customerId' | 'devices' | 'siteId' | 'types' | 'causes' | keyof Subject>[],
): Promise<Names> {
  const subjects = incidents.flatMap((incident) => [
    ...[incident, ...Object.values(incident.types)],
    ...Object.values(incident.causes).map(subjectOf),
  ]);
  const alarms = subjects.flatMap(({ subjectKind, subjectId, data }) =>
    subjectKind === 'alarm' ? [{ id: Number(subjectId), code: String(data.code ?? '') }] : [],
  );
  const issues = subjects.flatMap((one) => (isClosedIssue(one) ? [Number(one.subjectId)] : []));
  const places = incidents.flatMap(({ devices, customerId, siteId }) =>
    devices.map((deviceId) => ({ deviceId, customerId, siteId })),
  );
  const siteIds = incidents.flatMap(({ siteId }) => siteId ?? []);
  const customerIds = incidents.flatMap(({ customerId }) => customerId ?? []);
  const explanations = await findExplanations(db, alarms);
  const { rows } = await sql<Row>`
    with found as (
      -- Of a device that has moved, readers of its former place know only the SN.
      select 'device' as kind, d.id::text as id, shown.name as "nameEn", shown.name as "nameZh",
             null::text as cause, null::text as remedy
        from (select "deviceId" as id, array_agg("siteId") as sites, bool_or("customerId" is null) as everywhere,
                     array_agg("customerId") filter (where "siteId" is null) as customers
                from ${unnested(places, { deviceId: 'int', customerId: 'int', siteId: 'int' })}
                       as u ("deviceId", "customerId", "siteId")
               group by 1) q
        join devices d on d.id = q.id
       cross join lateral (select case when q.everywhere or d.site_id = any(q.sites) or d.customer_id = any(q.customers)
         then d.name else d.sn end as name) shown
      union all
      select 'site', s.id::text, s.name, s.name, null, null from sites s where s.id = any(${siteIds}::int[])
      union all
      select 'customer', c.id::text, c.name, c.name, null, null from customers c where c.id = any(${customerIds}::int[])
      union all
      -- Without the alarm, its code has the name for all models.
      select 'alarm', q.id::text, ${NAMES_OF_ALARM.en}, ${NAMES_OF_ALARM.zh}, closed.cause, closed.remedy
        from (select distinct id, code from ${unnested(alarms, { id: 'bigint', code: 'text' })} as u (id, code)) q
        left join alarms a on a.id = q.id
        ${NAME_OF_CODE(sql`q.code`, sql`a.device_model_id`)}
        left join lateral (
          select cause, remedy from issues i where i.alarm_id = q.id and i.status = 'closed' and i.merged_into is null
           order by i.closed_at desc limit 1) closed on true
      union all
      select 'issue', i.id::text, null, null, i.cause, i.remedy
        from issues i where i.id = any(${issues}::int[]) and i.status = 'closed')
    select f.*, ce.name_en as "causeEn", ce.name_zh as "causeZh", re.name_en as "remedyEn", re.name_zh as "remedyZh"
      from found f
      left join dictionary_entries ce on ce.dictionary = 'causes' and ce.code = f.cause
      left join dictionary_entries re on re.dictionary = 'remedies' and re.code = f.remedy`.execute(db);
  const found = new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]));
  const byId = (kind: Row['kind']) =>
    new Map(rows.flatMap((row) => (row.kind === kind ? [[Number(row.id), row.nameEn ?? '']] : [])));
  return {
    devices: byId('device'),
    sites: byId('site'),
    customers: byId('customer'),
    explanationOf: ({ subjectKind, subjectId }) =>
      subjectKind === 'alarm' ? explanations.get(Number(subjectId)) : undefined,
    alarmOf: ({ subjectKind, subjectId }) => (subjectKind === 'alarm' ? found.get(`alarm ${subjectId}`) : undefined),
    endOf(one) {
      const isAbout = one.subjectKind === 'alarm' || isClosedIssue(one);
      return endOf((isAbout && found.get(`${one.subjectKind} ${one.subjectId}`)) || null);
    },
  };
}

/** The alarm of a cause, as notices name what they are about. */
export function subjectOf({ key, code }: Pick<IncidentCause, 'key' | 'code'>): Subject {
  return { subjectKind: 'alarm', subjectId: key, data: { code } };
}

/** The end of an issue with its names; null: there is no closed issue. */
function endOf(stored: StoredEnd | null): IssueEnd {
  if (!stored) return { cause: null, remedy: null };
  return {
    cause: namedCode('causes', stored.cause, stored.causeEn, stored.causeZh),
    remedy: namedCode('remedies', stored.remedy, stored.remedyEn, stored.remedyZh),
  };
}

function isClosedIssue({ subjectKind, data }: Subject): boolean {
  return subjectKind === 'issue' && data.occasion === 'closed';
}

/** A code with the names that the installation gave it, or those that the product has. */
function namedCode(
  dictionary: Dictionary,
  code: string | null,
  nameEn: string | null,
  nameZh: string | null,
): NamedCode | null {
  if (code === null) return null;
  const shipped = dictionaryDefault(dictionary, code);
  return { code, nameEn: nameEn ?? shipped?.nameEn ?? code, nameZh: nameZh ?? shipped?.nameZh ?? code };
}
