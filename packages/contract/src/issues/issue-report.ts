import { type Static, Type } from 'typebox';
import { LOCALES } from '../constants.ts';
import { Exact, Id, NullableText, Time, Words } from '../schemas.ts';

/** An anonymous report of an issue, as those who work on it see it. */
export const IssueReport = Exact({
  id: Id,
  at: Time,
  locale: Words(LOCALES),
  connector: Type.Union([Type.Integer(), Type.Null()]),
  /** what the reporter entered about the place */
  sn: Type.String(),
  place: Type.String(),
  description: Type.String(),
  /** it was added to an issue that existed */
  joined: Type.Boolean(),
  /** null: none was left, it was deleted, or the caller may not edit the issue */
  contact: NullableText,
  hasContact: Type.Boolean(),
  /** gets a mail when there is an answer */
  notify: Type.Boolean(),
  /** photos and videos that have arrived, and that were announced */
  files: Type.Integer({ minimum: 0 }),
  announcedFiles: Type.Integer({ minimum: 0 }),
});
export type IssueReport = Static<typeof IssueReport>;
