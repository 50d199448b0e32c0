import { FILE_RULES } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, FileContent, Words } from '../schemas.ts';

/** Maximum size of an import file (spec §5, §9), in bytes. */
const FILE_BYTES = FILE_RULES.json.limit;
/** The same size in base64: four characters for three bytes. */
const FILE_SIGNS = Math.ceil(FILE_BYTES / 3) * 4;

/** The fields of a device in an import file, which are the headings of a sheet. */
export const DEVICE_IMPORT_FIELDS = [
  ...(['sn', 'name', 'site', 'customer', 'model', 'arrivalDate', 'installDate'] as const),
  ...(['maintenanceCycleDays', 'gatewayPassword'] as const),
] as const;
const Heading = Type.String({ minLength: 1, maxLength: 256 });
const ChosenHeading = Type.Optional(Heading);

/** The result, or expected result, of one row of a file. */
export const ImportRow = Exact({
  /** row number: entries of JSON count from 1, rows of a sheet as the spreadsheet numbers them */
  row: Type.Integer(),
  sn: Type.String(),
  name: Type.String(),
  site: Type.String(),
  model: Type.String(),
  /** what is wrong and how to fix it, in the caller's language; empty when the row can be imported */
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
      row: { object: 'site', from: 'file', outside: 'importFailed' },
      level: 'edit',
      levelFirst: true,
    },
    effect: 'create',
    summary:
      'Register the devices of a .json, .xlsx or .csv file: all or none, or only the valid rows. A dry run changes nothing and returns the result of every row',
    nameZh: '导入设备',
    // The file plus a small allowance for the other fields.
    bodyLimit: FILE_SIGNS + 64 * 1024,
    fileLimit: FILE_BYTES,
    body: Exact({
      fileName: Type.String({ minLength: 1, maxLength: 255 }),
      content: FileContent,
      /** `content` is encrypted for the key of `session.publicKey`; required when the file contains passwords */
      encrypted: Type.Optional(Type.Boolean()),
      dryRun: Type.Boolean(),
      /** of a sheet with other headings: the heading of the column of each field */
      columns: Type.Optional(
        Exact({
          ...{ sn: ChosenHeading, name: ChosenHeading, site: ChosenHeading, customer: ChosenHeading },
          ...{ model: ChosenHeading, arrivalDate: ChosenHeading, installDate: ChosenHeading },
          ...{ maintenanceCycleDays: ChosenHeading, gatewayPassword: ChosenHeading },
        }),
      ),
      /** register the valid rows and leave out the others; without it, one invalid row prevents the import */
      skipInvalid: Type.Optional(Type.Boolean()),
    }),
    answer: Exact({
      total: Type.Integer(),
      /** number of rows with problems */
      faulty: Type.Integer(),
      imported: Type.Integer(),
      /** headings of columns of a sheet that are not imported */
      leftOut: Type.Array(Type.String()),
      /**
       * of a sheet without the required columns, in a dry run: its headings with their fields, so that `columns` can say
       * which is which; no row is read. Otherwise null
       */
      headings: Type.Union([
        Type.Array(Exact({ heading: Type.String(), field: Type.Union([Words(DEVICE_IMPORT_FIELDS), Type.Null()]) })),
        Type.Null(),
      ]),
      /** all rows of a dry run; otherwise the rows that were skipped */
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
    nameZh: '下载设备导入模板',
    answer: null,
  }),
};
