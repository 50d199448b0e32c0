import { type Static, Type } from 'typebox';
import { IssueStatusWord, IssueTypeNumber } from '../issues/schemas.ts';
import { Exact, FileId, NullableText, NullableTime, Time, Words } from '../schemas.ts';
import { PreviewWord } from './schemas.ts';

const SharedIssueFile = Exact({
  id: FileId,
  name: Type.String(),
  size: Type.Integer({ minimum: 0 }),
  preview: Type.Union([PreviewWord, Type.Null()]),
});

/** Changes of the status that visitors read. */
export const SHARED_ISSUE_EVENTS = ['started', 'closed', 'reopened'] as const;

/** An issue as visitors of a share read it: texts without markup, and never an internal comment. */
export const SharedIssue = Exact({
  /** such as `HVC-5` */
  key: Type.String(),
  title: Type.String(),
  type: IssueTypeNumber,
  status: IssueStatusWord,
  deviceModel: NullableText,
  occurredAt: Time,
  createdAt: Time,
  closedAt: NullableTime,
  text: Type.String(),
  files: Type.Array(SharedIssueFile),
  /** the newest 200, oldest first */
  entries: Type.Array(
    Exact({
      id: Type.Integer(),
      at: Time,
      /** null for a comment */
      event: Type.Union([Words(SHARED_ISSUE_EVENTS), Type.Null()]),
      by: Type.String(),
      /** written through a share */
      outside: Type.Boolean(),
      text: Type.String(),
      files: Type.Array(SharedIssueFile),
    }),
  ),
  /** older comments that are not shown */
  older: Type.Boolean(),
  /** comments that this share still takes; null for one that only shows the issue */
  commentsLeft: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
});
export type SharedIssue = Static<typeof SharedIssue>;
