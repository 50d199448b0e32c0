import { FILE_RULES } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, FileContent } from '../schemas.ts';

/** A file of devices is at most so long (spec §5, §9). Bytes. */
const FILE_BYTES = FILE_RULES.json.limit;
/** The same as base64, four signs for three bytes. */
const FILE_SIGNS = Math.ceil(FILE_BYTES / 3) * 4;

/** What became, or would become, of one row of a file. */
export const ImportRow = Exact({
  /** as the file numbers it: entries of JSON from 1, rows of a sheet as the spreadsheet shows them */
  row: Type.Integer(),
  sn: Type.String(),
  name: Type.String(),
  site: Type.String(),
  model: Type.String(),
  /** what is wrong, and what would be right, in the reader's language; nothing when the row can be imported */
  problems: Type.Array(Type.String()),
});
export type ImportRow = Static<typeof ImportRow>;

export const deviceImportEndpoints = {
  importDevices: endpoint({
    id: 'devices.import',
    method: 'POST',
    path: '/api/auth/sys/devices/import',
    policy: {
      route: { keys: ['auth_device_add'] },
      row: { thing: 'site', from: 'file', outside: 'importFailed' },
      level: 'edit',
      levelFirst: true,
    },
    effect: 'create',
    summary:
      'Register the devices of a .json or .xlsx file, all or none. A dry run changes nothing and returns the result of every row',
    // The file and the little that surrounds it.
    bodyLimit: FILE_SIGNS + 64 * 1024,
    body: Exact({
      fileName: Type.String({ minLength: 1, maxLength: 255 }),
      content: FileContent,
      /** `content` is encrypted for the key of `session.publicKey`: required when the file holds passwords */
      encrypted: Type.Optional(Type.Boolean()),
      dryRun: Type.Boolean(),
    }),
    answer: Exact({
      total: Type.Integer(),
      /** how many rows have problems */
      faulty: Type.Integer(),
      imported: Type.Integer(),
      /** every row of a dry run; empty once the devices are registered */
      rows: Type.Array(ImportRow),
    }),
  }),
  exportImportTemplate: endpoint({
    id: 'devices.importTemplate',
    method: 'GET',
    path: '/api/auth/sys/devices/import-template',
    policy: { route: { keys: ['auth_device_add'] }, row: 'shared', level: 'edit' },
    effect: 'export',
    summary: "Download an empty .xlsx import template. Headings are in the caller's language",
    answer: null,
  }),
};
