import type { OwnLevels } from '@chargehand/contract';
import { DEVICE_LEVELS, type Level, permits } from '@chargehand/domain';
import { scopeCondition, scopeValues, seenCustomerCondition } from '../platform/database/scope.ts';
import type { Caller } from '../platform/http/caller.ts';
import type { PolicyRow } from '../platform/http/policy-row.ts';
import { type FoundRow, namedPlace, type RowFinders, type RowPlaces } from '../ports/policy-rows.ts';

declare module '../platform/http/policy-row.ts' {
  interface PolicyRows {
    attachment: PolicyRow & { id: number };
    attachmentContent: ReadableContent;
  }
}

/** A file whose content the caller may read, with the levels that decide about it. */
export interface ReadableContent extends PolicyRow {
  id: number;
  own: OwnLevels;
}

/** True for files `a` that a caller sees by the levels of the files themselves. $5 is the caller's read level. */
const SEES_FILE = `(a.read_level >= $5 and (a.site_id is null or $3::int[] is null or a.site_id = any($3::int[]))
  and ${seenCustomerCondition('a.customer_id')})`;

/**
 * True for files `a` that a caller opens by their levels: with the menu of files ($10), and their own uploads ($6).
 * Device logs and firmware have pages of their own, whose permission the content service checks.
 */
const OPENS_FILE = `(${SEES_FILE} and ($10::boolean or a.uploaded_by = $6
  or a.device_log_id is not null or a.firmware_id is not null))`;

/** True for files `a` with the IDs of a request. Addresses from before IDs were random still have numbers. */
const NAMED = '(a.id = any($1::bigint[]) or (a.numbered and a.added = any($1::bigint[])))';

/** True for files `a` that the caller uploaded. $6 is the caller. */
const OWN_FILE = '(a.uploaded_by is not distinct from $6::int)';

interface LevelRow {
  id: number;
  customerId: number | null;
  /** for all sites of its customer, and not an upload of the caller */
  allSites: boolean;
  read: Level;
  write: Level;
  download: Level;
}

const LEVELS = (row: string, own = 'false') => `
  ${row}.id, ${row}.customer_id as "customerId", ${row}.site_id is null and not ${own} as "allSites",
  ${row}.read_level as read, ${row}.write_level as write,
  ${row}.download_level as download`;

/** Files and folders: their own levels decide, within the customers that the caller sees. */
export const attachmentRows: Pick<RowFinders, 'attachment' | 'attachmentContent' | 'folder'> = {
  attachment: async (pool, caller, ids) => {
    const { rows } = await pool.query<LevelRow>({
      name: 'policy-attachments',
      text: `select ${LEVELS('a', OWN_FILE)} from attachments a where ${NAMED} and ${SEES_FILE}`,
      values: valuesOf(caller, ids),
    });
    return rows.map(foundRow);
  },

  folder: async (pool, caller, ids) => {
    const { rows } = await pool.query<LevelRow>({
      name: 'policy-folders',
      text: `
        select ${LEVELS('f')} from folders f
         where f.id = any($1::int[]) and f.read_level >= $5 and ${seenCustomerCondition('f.customer_id')}
           and (f.site_id is null or $3::int[] is null or f.site_id = any($3::int[]))`,
      values: valuesOf(caller, ids).slice(0, 5),
    });
    return rows.map(foundRow);
  },

  /**
   * Files that the caller opens by their levels, and those of documents, devices and issues that they may read. Knowing
   * the number of a file is not enough.
   */
  attachmentContent: async (pool, caller, ids) => {
    const { wiki, device } = caller.levels;
    const { rows } = await pool.query<LevelRow & { seen: boolean }>({
      name: 'policy-attachment-contents',
      text: `
        select ${LEVELS('a', OWN_FILE)}, ${OPENS_FILE} as seen from attachments a
         where ${NAMED} and a.deleted_at is null and (${OPENS_FILE} or $9::boolean and exists (
           select from attachment_uses u join documents d on u.kind = 'document' and d.id = u.object_id
            where u.attachment_id = a.id and u.ended_at is null and d.read_level >= $11 and d.enabled
              and ${seenCustomerCondition('d.customer_id')}
           ) or $8::boolean and exists (
           select from attachment_uses u join issues i on u.kind = 'issue' and i.id = u.object_id
            where u.attachment_id = a.id and u.ended_at is null and ${scopeCondition('i.customer_id', 'i.site_id')}
           ) or $7::boolean and a.device_log_id is null and exists (
           select from attachment_uses u join devices d on u.kind = 'device' and d.id = u.object_id
            where u.attachment_id = a.id and a.customer_id = d.customer_id
              and (a.site_id is null or a.site_id = d.site_id)
              and ${scopeCondition('d.customer_id', 'd.site_id')}))`,
      values: [
        ...valuesOf(caller, ids),
        ...[device.read <= DEVICE_LEVELS.read && permits(caller, READS_DEVICES)],
        ...[permits(caller, READS_ISSUES), permits(caller, READS_DOCUMENTS)],
        ...[permits(caller, READS_FILES), wiki.read],
      ],
    });
    return rows.map(({ seen, ...row }) =>
      seen ? foundRow(row) : { ...foundRow(row), own: READ_ELSEWHERE, toSee: [] },
    );
  },
};

/** The permissions of which one is needed to read documents, devices, files and issues, as at their own addresses. */
export const READS_DOCUMENTS = ['auth_docs_detail'];
export const READS_DEVICES = ['auth_device_detail', 'auth_device_info', 'auth_device_edit'];
const READS_FILES = ['auth_attach'];
export const READS_ISSUES = ['auth_issue_detail'];

/** The levels of a file that is read through the object that uses it: reading that object is sufficient. */
const READ_ELSEWHERE: OwnLevels = { area: 'wiki', read: 5, write: 0, download: 5 };

function valuesOf(caller: Pick<Caller, 'userId' | 'scope' | 'customerId' | 'levels'>, ids: unknown) {
  const { scope, customerId, levels, userId } = caller;
  return [ids, ...scopeValues(scope), customerId, levels.attachment.read, userId];
}

function foundRow({ id, customerId, allSites, ...levels }: LevelRow): FoundRow & { own: OwnLevels } {
  return {
    ...{ id, customerId, model: null, described: false },
    own: { area: 'attachment', ...levels },
    toSee: [{ area: 'attachment', verb: 'read', level: levels.read }],
    vendorWrites: customerId === null,
    allSitesWrite: customerId !== null && allSites,
  };
}

export const attachmentPlaces: Pick<RowPlaces, 'attachment' | 'folder'> = {
  attachment: async (pool, _caller, id) => {
    const { rows } = await pool.query<StoredPlace>(
      `select a.name, a.customer_id as "customerId", c.name as "customerName", a.site_id as "siteId"
         from attachments a left join customers c on c.id = a.customer_id where a.id = $1`,
      [id],
    );
    return placed(rows[0]);
  },

  folder: async (pool, _caller, id) => {
    const { rows } = await pool.query<StoredPlace>(
      `select f.name, f.customer_id as "customerId", c.name as "customerName", f.site_id as "siteId"
         from folders f left join customers c on c.id = f.customer_id where f.id = $1`,
      [id],
    );
    return placed(rows[0]);
  },
};

interface StoredPlace {
  name: string;
  customerId: number | null;
  customerName: string | null;
  siteId: number | null;
}

function placed(row: StoredPlace | undefined) {
  if (!row) return null;
  const { siteId, ...ofCustomer } = row;
  // Those without a site are seen by the users of all sites.
  return namedPlace(siteId === null ? ofCustomer : row);
}
