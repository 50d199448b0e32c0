import { SHARE_DAYS, SHARE_ENDS, type ShareDays, type ShareKind, type SharePreview } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { Exact, FileId, Id, Lines, NullableText, NullableTime, Page, Time, Words } from '../schemas.ts';

/** The validity of a share, spec §3. Null: permanent. */
export const Validity = Type.Unsafe<ShareDays | null>({ enum: [...SHARE_DAYS, null] });
export const ShareKindWord = Words([
  'download',
  'upload',
  'issue',
  'terminal',
  'page',
] as const satisfies readonly ShareKind[]);
/** How often a share can be used: downloads, or uploaded files. Null: any number. */
export const UseLimit = Type.Union([Type.Integer({ minimum: 1, maximum: 10_000 }), Type.Null()]);
const GIB = 1024 ** 3;
/** The total size of the files that an upload request takes. Bytes. Null: any size. */
export const ByteLimit = Type.Union([Type.Integer({ minimum: 1024, maximum: 100 * GIB }), Type.Null()]);
const Bytes = Type.Integer({ minimum: 0 });
const NullableCount = Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]);

/** The secret of a link: 24 random bytes, base64url. */
export const ShareToken = Type.String({ minLength: 1, maxLength: 64 });

/** What its creator enters about any share. */
export const ShareFields = {
  recipient: Type.String({ maxLength: 200 }),
  note: Lines({ maxLength: 1_000 }),
};

export const NewShare = Exact({
  days: Validity,
  /** protects the share with a generated access code */
  code: Type.Boolean(),
  recipient: Type.Optional(ShareFields.recipient),
  note: Type.Optional(ShareFields.note),
  useLimit: Type.Optional(UseLimit),
});
export type NewShare = Static<typeof NewShare>;

export const NewUploadRequest = Exact({ ...NewShare.properties, byteLimit: Type.Optional(ByteLimit) });
export type NewUploadRequest = Static<typeof NewUploadRequest>;

/** Visitors of the share of an issue may comment on it. */
export const MayComment = Type.Boolean();

export const NewIssueShare = Exact({
  days: Validity,
  code: Type.Boolean(),
  comments: MayComment,
  /** visitors also read the public comments that were written before the share was created */
  earlier: Type.Optional(Type.Boolean({ default: false })),
  recipient: Type.Optional(ShareFields.recipient),
  note: Type.Optional(ShareFields.note),
});
export type NewIssueShare = Static<typeof NewIssueShare>;

export const SHARE_STATES = ['open', ...SHARE_ENDS] as const;

export const ShareRow = Exact({
  id: Id,
  kind: ShareKindWord,
  /** what is shared */
  object: Exact({ kind: Words(['attachment', 'folder', 'issue', 'link'] as const), id: FileId, name: Type.String() }),
  comments: MayComment,
  /** guests may type in the terminal, or make changes in the pages */
  interactive: Type.Boolean(),
  state: Words(SHARE_STATES),
  createdBy: Type.String(),
  /** the caller created it */
  own: Type.Boolean(),
  createdAt: Time,
  expiresAt: NullableTime,
  recipient: Type.String(),
  note: Type.String(),
  hasCode: Type.Boolean(),
  /** the secret of the link and the access code: only for the creator */
  token: NullableText,
  code: NullableText,
  uses: Type.Integer({ minimum: 0 }),
  useLimit: NullableCount,
  /** received by an upload request */
  bytes: Bytes,
  byteLimit: Type.Union([Bytes, Type.Null()]),
  wrongCodes: Type.Integer({ minimum: 0 }),
  lastUsedAt: NullableTime,
});
export type ShareRow = Static<typeof ShareRow>;
export const SharePage = Page(ShareRow);

export const SHARE_USE_STATES = ['running', 'complete', 'brokenOff'] as const;

/** A download, or an uploaded file. */
export const ShareUse = Exact({
  id: Type.Integer({ minimum: 1 }),
  at: Time,
  endedAt: NullableTime,
  address: Type.String(),
  kind: Words(['file', 'archive', 'preview', 'upload'] as const),
  name: Type.String(),
  size: Bytes,
  /** bytes sent or received */
  moved: Bytes,
  state: Words(SHARE_USE_STATES),
});
export type ShareUse = Static<typeof ShareUse>;

export const PreviewWord = Words(['image', 'pdf', 'text', 'video'] as const satisfies readonly SharePreview[]);
const NullablePreview = Type.Union([PreviewWord, Type.Null()]);

/** Why a file cannot be downloaded now: it waits for the virus scanner, or has a virus. */
const Unavailable = Type.Union([Words(['waiting', 'infected'] as const), Type.Null()]);

/** What the page of a share shows. Before the right code, nothing but that a code is needed. */
export const OpenedShare = Exact({
  codeNeeded: Type.Boolean(),
  content: Type.Union([
    Exact({
      kind: ShareKindWord,
      isFolder: Type.Boolean(),
      name: Type.String(),
      /** of the file; null for a folder */
      size: Type.Union([Bytes, Type.Null()]),
      preview: NullablePreview,
      unavailable: Unavailable,
      /** of a terminal or of pages: the guest may type, or make changes */
      interactive: Type.Boolean(),
      /** who shares it */
      owner: Type.String(),
      note: Type.String(),
      expiresAt: NullableTime,
      usesLeft: NullableCount,
      /** what an upload request still takes; null: no limit, or no upload request */
      bytesLeft: Type.Union([Bytes, Type.Null()]),
    }),
    Type.Null(),
  ]),
});
export type OpenedShare = Static<typeof OpenedShare>;

export const SharedEntry = Exact({
  kind: Words(['file', 'folder'] as const),
  id: FileId,
  name: Type.String(),
  /** of a file; null for a folder */
  size: Type.Union([Bytes, Type.Null()]),
  preview: NullablePreview,
  unavailable: Unavailable,
});
export type SharedEntry = Static<typeof SharedEntry>;

export const SharedFolder = Exact({
  /** from the shared folder to this one */
  path: Type.Array(Exact({ id: Id, name: Type.String() })),
  items: Type.Array(SharedEntry),
});
export type SharedFolder = Static<typeof SharedFolder>;

/** An upload in parts: it continues at `received`. */
export const SharedUpload = Exact({
  id: Type.String({ format: 'uuid', maxLength: 36 }),
  received: Bytes,
  size: Bytes,
  /** the maximum size of one part */
  partBytes: Bytes,
  done: Type.Boolean(),
});
export type SharedUpload = Static<typeof SharedUpload>;
