import { ATTACHMENT_TYPES, ATTACHMENT_USES, type Level, SCAN_STATES } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { Exact, FileId, Id, Lines, NullableText, NullableTime, Page, Revision, Time, Words } from '../schemas.ts';

const FileLevel = Type.Unsafe<Level>({ type: 'integer', minimum: 0, maximum: 5 });
/** A folder, or null: outside of any folder. */
export const NullableFolderId = Type.Union([Id, Type.Null()]);
const NullableId = Type.Union([Id, Type.Null()]);

/** The site whose users see a file or a folder; null: all sites of the customer. */
export const FileSite = Type.Union([Id, Type.Null()]);

/** The name of a file or a folder; its length is limited in bytes by the domain. */
export const FileName = Type.String({ minLength: 1, maxLength: 255 });
export const FileDescription = Lines({ maxLength: 1_000 });

/** The levels of a file or a folder that a user sets; without them those of the folder or the defaults. */
export const levelFields = {
  readLevel: Type.Optional(FileLevel),
  writeLevel: Type.Optional(FileLevel),
  downloadLevel: Type.Optional(FileLevel),
};
const levels = { readLevel: FileLevel, writeLevel: FileLevel, downloadLevel: FileLevel };

/** The records of other modules whose files are listed here and changed there. */
export const ATTACHMENT_MANAGERS = ['firmware', 'deviceLog'] as const;

export const AttachmentRow = Exact({
  id: FileId,
  /** null: outside of any folder */
  folderId: NullableFolderId,
  folder: NullableText,
  /** null: of the platform, for the users of all customers */
  customerId: NullableId,
  customer: NullableText,
  /** the site that limits who sees it; null: visible at every site */
  siteId: NullableId,
  site: NullableText,
  name: Type.String(),
  description: Type.String(),
  /** bytes */
  size: Type.Integer({ minimum: 0 }),
  mediaType: Type.String(),
  /** `GET …/content` displays it; otherwise it is only downloaded */
  shown: Type.Boolean(),
  type: Words(ATTACHMENT_TYPES),
  ...levels,
  scan: Words(SCAN_STATES),
  /** how many documents, devices and issues use it */
  uses: Type.Integer({ minimum: 0 }),
  /** the page where it is changed and deleted; null: here */
  managedBy: Type.Union([Words(ATTACHMENT_MANAGERS), Type.Null()]),
  uploadedBy: Type.String(),
  createdAt: Time,
  /** when it was moved to the trash, and by whom */
  deletedAt: NullableTime,
  deletedBy: NullableText,
  may: Exact({ write: Type.Boolean(), download: Type.Boolean() }),
});
export type AttachmentRow = Static<typeof AttachmentRow>;

export const AttachmentPage = Exact({
  ...Page(AttachmentRow).properties,
  /** new files are scanned for viruses */
  scanning: Type.Boolean(),
});

/** An object that uses a file. */
const AttachmentUseRow = Exact({ kind: Words(ATTACHMENT_USES), id: Id, name: Type.String() });

export const AttachmentDetail = Exact({
  ...AttachmentRow.properties,
  /** of the content, without quotes */
  etag: Type.String(),
  /** the folders from the top to its own */
  path: Type.Array(Exact({ id: Id, name: Type.String() })),
  /** the objects that use it and that the caller sees */
  usedBy: Type.Array(AttachmentUseRow),
  revision: Revision,
});
export type AttachmentDetail = Static<typeof AttachmentDetail>;

export const FolderRow = Exact({
  id: Id,
  parentId: NullableFolderId,
  customerId: NullableId,
  customer: NullableText,
  /** the site that limits who sees it; null: visible at every site */
  siteId: NullableId,
  site: NullableText,
  name: Type.String(),
  description: Type.String(),
  ...levels,
  /** files in it that the caller sees, without those of its subfolders */
  files: Type.Integer({ minimum: 0 }),
  createdBy: Type.String(),
  createdAt: Time,
  deletedAt: NullableTime,
  deletedBy: NullableText,
  revision: Revision,
  may: Exact({ write: Type.Boolean() }),
});
export type FolderRow = Static<typeof FolderRow>;

/** The space that the files of a customer use, including those in the trash. Bytes. */
export const AttachmentQuota = Exact({
  customerId: NullableId,
  files: Type.Integer(),
  used: Type.Integer(),
  limit: Type.Integer(),
});
export type AttachmentQuota = Static<typeof AttachmentQuota>;
