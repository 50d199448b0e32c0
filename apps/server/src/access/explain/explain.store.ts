import type { ExplainedType } from '@chargehand/contract';
import { type FileLevels, inScope, type ModelLevels, type Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';
import { sitesInScope } from '../users/assignments.store.ts';
import { customerInScope, findUser } from '../users/users.store.ts';

/** The row of a question: its place and its name. */
export interface ExplainedRow {
  objectType: Exclude<ExplainedType, 'role' | 'document' | 'attachment' | 'folder' | 'share'>;
  id: number;
  name: string;
  customerId: number;
  customerName: string;
  siteId: number | null;
  siteName: string | null;
  /** for a device: the levels of its model */
  model: ScopedDevice | null;
}

/** True if the row is in the scope, as in the modules that serve it. */
export async function isRowInScope(scope: Scope, db: Kysely<Database>, row: ExplainedRow): Promise<boolean> {
  switch (row.objectType) {
    case 'device':
      return (await findScopedDevice(scope, db, row.id)) !== null;
    case 'site':
      return (await sitesInScope(scope, db, [row.id])).length > 0;
    case 'customer':
      return await customerInScope(scope, db, row.id);
    case 'user':
      return (await findUser(scope, db, row.id)) !== null;
    case 'issue':
      return inScope(scope, row);
  }
}

/** The row within the scope of the caller; null if there is none. */
export async function findExplainedRow(
  scope: Scope,
  db: Kysely<Database>,
  objectType: ExplainedRow['objectType'],
  id: number,
): Promise<ExplainedRow | null> {
  if (objectType === 'user') {
    const user = await findUser(scope, db, id);
    if (!user) return null;
    const { userName: name, customerId, customerName } = user;
    return { objectType, id, name, customerId, customerName, siteId: null, siteName: null, model: null };
  }
  const model = objectType === 'device' ? await findScopedDevice(scope, db, id) : null;
  const place = {
    device: sql`
      select d.name, d.customer_id as "customerId", c.name as "customerName", s.id as "siteId", s.name as "siteName"
        from devices d join sites s on s.id = d.site_id join customers c on c.id = d.customer_id
       where d.id = ${id} and ${withinScope(scope, 'd.customer_id', 'd.site_id')}`,
    site: sql`
      select s.name, s.customer_id as "customerId", c.name as "customerName", s.id as "siteId", s.name as "siteName"
        from sites s join customers c on c.id = s.customer_id
       where s.id = ${id} and ${withinScope(scope, 's.customer_id', 's.id')}`,
    customer: sql`
      select c.name, c.id as "customerId", c.name as "customerName", null::int as "siteId", null as "siteName"
        from customers c where c.id = ${id} and ${withinScope(scope, 'c.id', null)}`,
    issue: sql`
      select '#' || i.number || ' ' || i.title as name, i.customer_id as "customerId",
             i.customer_name as "customerName", i.site_id as "siteId", i.site_name as "siteName"
        from issues i where i.id = ${id} and ${withinScope(scope, 'i.customer_id', 'i.site_id')}`,
  }[objectType];
  const { rows } = await sql<Omit<ExplainedRow, 'objectType' | 'id' | 'model'>>`${place}`.execute(db);
  const [row] = rows;
  return row ? { objectType, id, ...row, model } : null;
}

/** A file, a document, a folder or a share of a question, with its place. */
export interface StoredRow {
  objectType: 'attachment' | 'document' | 'folder' | 'share';
  id: number;
  name: string;
  /** null: of the platform */
  customerId: number | null;
  customerName: string | null;
  siteId: number | null;
  /** of files, documents and folders */
  levels: FileLevels | null;
  /** of a share */
  creatorId: number | null;
  /** true for a disabled document */
  disabled: boolean;
}

/** A file, a document, a folder or a share by id; null if there is none. */
export async function findStoredRow(
  db: Kysely<Database>,
  objectType: StoredRow['objectType'],
  id: number,
): Promise<StoredRow | null> {
  const levels = (row: string) => sql`jsonb_build_object('read', ${sql.ref(`${row}.read_level`)},
    'write', ${sql.ref(`${row}.write_level`)}, 'download', ${sql.ref(`${row}.download_level`)})`;
  const { rows } = await {
    attachment: sql<Omit<StoredRow, 'objectType'>>`
      select a.id, a.name, a.customer_id as "customerId", c.name as "customerName", a.site_id as "siteId",
             ${levels('a')} as levels, null::int as "creatorId", false as disabled
        from attachments a left join customers c on c.id = a.customer_id where a.id = ${id}`,
    document: sql<Omit<StoredRow, 'objectType'>>`
      select d.id, d.name, d.customer_id as "customerId", c.name as "customerName", null::int as "siteId",
             jsonb_build_object('read', d.read_level, 'write', d.write_level, 'download', d.read_level) as levels,
             null::int as "creatorId", not d.enabled as disabled
        from documents d left join customers c on c.id = d.customer_id where d.id = ${id}`,
    folder: sql<Omit<StoredRow, 'objectType'>>`
      select f.id, f.name, f.customer_id as "customerId", c.name as "customerName", null::int as "siteId",
             ${levels('f')} as levels, null::int as "creatorId", false as disabled
        from folders f left join customers c on c.id = f.customer_id where f.id = ${id}`,
    share: sql<Omit<StoredRow, 'objectType'>>`
      select s.id, coalesce(a.name, f.name, '#' || i.number || ' ' || i.title, l.device_name) as name,
             s.customer_id as "customerId", c.name as "customerName", null::int as "siteId",
             null::jsonb as levels, s.created_by as "creatorId", false as disabled
        from shares s left join attachments a on a.id = s.attachment_id left join folders f on f.id = s.folder_id
        left join issues i on i.id = s.issue_id left join link_recordings lr on lr.id = s.terminal_id left join links l on l.id = coalesce(s.pages_of, lr.link_id)
        left join customers c on c.id = s.customer_id where s.id = ${id}`,
  }[objectType].execute(db);
  const [row] = rows;
  return row ? { objectType, ...row } : null;
}

/** The number of customers, sites and devices in both of two scopes. */
export async function countShared(
  one: Scope,
  other: Scope,
  db: Kysely<Database>,
): Promise<{ customers: number; sites: number; devices: number }> {
  const both = (customer: string, site: string | null) =>
    sql`${withinScope(one, customer, site)} and ${withinScope(other, customer, site)}`;
  const { rows } = await sql<{ customers: number; sites: number; devices: number }>`
    select (select count(*) from customers c where ${both('c.id', null)}) as customers,
           (select count(*) from sites s where ${both('s.customer_id', 's.id')}) as sites,
           (select count(*) from devices d where ${both('d.customer_id', 'd.site_id')}) as devices`.execute(db);
  return rows[0] ?? { customers: 0, sites: 0, devices: 0 };
}

/** The names of a menu, and whether it is common. */
export interface NamedMenu {
  key: string;
  parentKey: string | null;
  nameEn: string;
  nameZh: string;
  common: boolean;
}

/** The menus of some keys, in display order. */
export async function menusOf(db: Kysely<Database>, keys: readonly string[]): Promise<NamedMenu[]> {
  const { rows } = await sql<NamedMenu>`
    select key, parent_key as "parentKey", name_en as "nameEn", name_zh as "nameZh", common
      from menus where key = any(${[...keys]}::text[]) order by sort, key`.execute(db);
  return rows;
}

/** A device with the levels of its model. */
interface ScopedDevice extends ModelLevels {
  id: number;
  sn: string;
  deviceModelId: number;
}

/** A device in the scope; null if there is none. */
async function findScopedDevice(scope: Scope, db: Kysely<Database>, id: number): Promise<ScopedDevice | null> {
  const { rows } = await sql<ScopedDevice>`
    select d.id, d.sn, d.device_model_id as "deviceModelId", m.parameter_read_level as "parameterRead",
           m.parameter_write_level as "parameterWrite", m.control_level as control
      from devices d join device_models m on m.id = d.device_model_id
     where d.id = ${id} and ${withinScope(scope, 'd.customer_id', 'd.site_id')}`.execute(db);
  return rows[0] ?? null;
}
