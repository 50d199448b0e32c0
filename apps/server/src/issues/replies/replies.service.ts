import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Locale } from '@chargehand/contract';
import {
  type ContentNode,
  cleanContent,
  contentOfText,
  contentPurpose,
  issueStatusAfter,
  lineOf,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Email } from 'postal-mime';
import { type Arrived, type AttachmentsRoom, enteredName, type Intake } from '../../attachments/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Log } from '../../platform/log.ts';
import type { InboundMail, InboundResult } from '../../platform/mail/inbound-server.ts';
import type { ObjectStore } from '../../platform/objects/store.ts';
import { inWorker } from '../../platform/work/workers.ts';
import type { IssueChanges } from '../issue-changes.ts';
import { addComment } from '../work/comments/comments.ts';
import { announceAnswer } from '../work/issue-notices.ts';
import { followersOf, type IssueState, lockIssue, logIssue, storeTimes } from '../work/issue-state.ts';
import { insertForeignComment, touchIssues } from '../work/work.store.ts';
import { isStored, rootOf, userOf } from './replies.store.ts';
import type { ReplyAddresses, ReplyTarget } from './reply-address.ts';
import { replyText } from './reply-text.ts';

/** The longest address of a mail (RFC 5321, §4.5.3.1). */
const SENDER_LENGTH = 254;
/** Files of one mail that become files of the issue. */
const FILES = 10;
/** Lines of a mail that may separate its parts. Mail programs write a few, and quoted signatures some more. */
const BOUNDARY_LINES = 2_000;
/** A mail that passed more servers than this goes in a circle. */
const HOPS = 30;

/** What a user may do now, as `userRights` of the access module finds it. */
export type RepliesRights = (
  userId: number,
  endpointId: string,
) => Promise<Omit<Caller, 'viewer' | 'sessionId' | 'csrf' | 'address' | 'locale'> | null>;

export interface RepliesParts {
  db: Kysely<Database>;
  store: ObjectStore;
  attachments: Pick<AttachmentsRoom, 'arrive' | 'settle' | 'settled' | 'hasArrived'>;
  rightsOf: RepliesRights;
  addresses: ReplyAddresses;
  clock: Clock;
  log: Log;
}

type Settling = { intake: Intake; arrived: Arrived };

/**
 * Makes replies to mails about issues internal comments, with the rights that the user of the address has now. A reply
 * that comes from another address than the mail was sent to is kept without its files, as of an unknown sender: a mail
 * may have been forwarded with its signed address.
 */
export function repliesService(parts: RepliesParts & { changes: IssueChanges }) {
  const { db, store, attachments, rightsOf, addresses, clock, log, changes } = parts;

  /** Stores a mail. The same mail again adds nothing. */
  return async function take({ receiver, sender, source, address }: InboundMail): Promise<InboundResult> {
    const target = addresses.read(receiver, clock.now());
    if (!target) return 'refused';
    const ignored = () => {
      log.info({ issue: target.issueId }, 'an automatic reply was ignored');
      return 'done' as const;
    };
    if (sender === '') return ignored();
    // Before the mail is read, which is the expensive part.
    const rights = await rightsOf(target.userId, 'issues.comment');
    if (!rights || rights.readOnly) return 'refused';
    const mail = await readMail(source);
    if (!mail) return 'refused';
    if (isAutomatic(mail)) return ignored();
    const { locale, email } = await userOf(db, target.userId);
    const caller: Caller = { ...rights, viewer: null, sessionId: '', csrf: '', address, locale };
    const key = keyOf(target, mail, source);
    const issueId = await rootOf(db, target.issueId);
    try {
      const from = mail.from?.address ?? sender;
      if (email === null || from.trim().toLowerCase() !== email.trim().toLowerCase()) {
        return await storeUnknown(caller, issueId, mail, { key, from });
      }
      return await storeReply(caller, issueId, mail, key);
    } catch (error) {
      // The issue is not there any more, or not for this user.
      if (error instanceof Problem) return 'refused';
      throw error;
    }
  };

  async function storeReply(caller: Caller, issueId: number, mail: Email, key: string): Promise<InboundResult> {
    const issue = await db.transaction().execute((trx) => lockIssue(trx, caller, issueId));
    if (await isStored(db, issueId, key)) return 'done';
    const words = replyText(mail);
    const { files, refused } = await arrive(caller, issue, mail, key);
    if (words === '' && files.length === 0 && refused.length === 0) return 'done';
    const added = await db.transaction().execute(async (trx) => {
      // Files before the issue: everything locks them in this order.
      const nodes: ContentNode[] = [];
      for (const file of files) nodes.push(await settle(trx, file));
      const now = await lockIssue(trx, caller, issueId);
      if (await isStored(trx, issueId, key)) return false;
      if (issueStatusAfter(now.status, 'comment') === null) throw new Problem('issueAction');
      const notes = refused.map((name) => noteOf(name, caller.locale));
      const text = [words, ...notes].filter((one) => one !== '').join('\n');
      const content = [...(text === '' ? [] : contentOfText(text).content), ...nodes];
      const body = { type: 'doc' as const, content };
      const entry = await addComment(trx, caller, now, { body, internal: true, requestKey: key });
      await storeTimes(trx, now);
      await logIssue(trx, caller, now, { after: { comment: entry, internal: true, byMail: true } });
      await touchIssues(trx, [issueId]);
      return true;
    });
    if (added) {
      if (files.length > 0) attachments.settled(issue.customerId);
      await changes.changed(issue);
    }
    return 'done';
  }

  /** Keeps the words of somebody whom nobody knows, and announces them to those who follow the issue. */
  async function storeUnknown(
    caller: Caller,
    issueId: number,
    mail: Email,
    { key, from }: { key: string; from: string },
  ): Promise<InboundResult> {
    const unknownSender = lineOf(from).slice(0, SENDER_LENGTH);
    const issue = await db.transaction().execute(async (trx) => {
      const issue = await lockIssue(trx, caller, issueId);
      if (await isStored(trx, issueId, key)) return null;
      if (issueStatusAfter(issue.status, 'comment') === null) throw new Problem('issueAction');
      const notes = mail.attachments
        .filter(({ related }) => !related)
        .slice(0, FILES)
        .map(({ filename }, index) => noteOf((filename ?? `attachment-${index + 1}`).slice(0, 200), caller.locale));
      const text = [replyText(mail), ...notes].filter((one) => one !== '').join('\n');
      if (text === '') return null;
      const id = await insertForeignComment(trx, {
        ...{ issue_id: issueId, internal: true, body: cleanContent(contentOfText(text)) },
        data: { requestKey: key, unknownSender },
      });
      await announceAnswer(trx, issue, 'comment', id, { userIds: await followersOf(trx, issueId) });
      await touchIssues(trx, [issueId]);
      return issue;
    });
    if (issue) {
      log.info({ issue: issueId }, 'a reply came from another address than the mail was sent to');
      await changes.changed(issue);
    }
    return 'done';
  }

  /** Stores the files of a mail before the transaction, under keys of the mail, so that a retry finds them. */
  async function arrive(caller: Caller, issue: IssueState, mail: Email, key: string) {
    const files: Settling[] = [];
    const refused: string[] = [];
    // Small pictures in signatures are no attachments.
    const sent = mail.attachments.filter(({ related, content }) => !related && content instanceof ArrayBuffer);
    const may = sent.length > 0 && (await rightsOf(caller.userId, 'attachments.create')) !== null;
    for (const [index, { filename, content }] of sent.entries()) {
      const shown = (filename ?? `attachment-${index + 1}`).slice(0, 200);
      if (!may || index >= FILES) {
        refused.push(shown);
        continue;
      }
      try {
        const intake = intakeOf(caller, issue, enteredName(shown), `document/incoming/mails/${key}-${index}`);
        if (!(await attachments.hasArrived(intake.key))) {
          const bytes = Buffer.from(content as ArrayBuffer);
          const place = { bucket: store.buckets.main, key: intake.key };
          await store.write(place, Readable.from([bytes]), { contentType: 'application/octet-stream' });
        }
        files.push({ intake, arrived: await attachments.arrive(intake) });
      } catch (error) {
        // A file of a type, size or content that is not allowed: the comment says so.
        if (!(error instanceof Problem)) throw error;
        refused.push(shown);
      }
    }
    return { files, refused };
  }

  async function settle(trx: Kysely<Database>, { intake, arrived }: Settling): Promise<ContentNode> {
    const file =
      'file' in arrived ? arrived.file : await attachments.settle(trx, intake, arrived, () => Promise.resolve());
    const attrs = { file: String(file.id) };
    return contentPurpose(file.name) === 'image'
      ? { type: 'image', attrs: { ...attrs, alt: file.name } }
      : { type: 'attachment', attrs: { ...attrs, name: file.name } };
  }
}

function intakeOf({ userId, userName }: Caller, issue: IssueState, name: string, key: string): Intake {
  const { id, customerId, siteId } = issue;
  const uses = [{ kind: 'issue' as const, objectId: id }];
  return { key, name, type: 'issue', folderId: null, customerId, siteId, uses, by: { userId, userName } };
}

const NOTES: Record<Locale, string> = {
  'en-US': 'The attachment {name} of this mail was not accepted.',
  'zh-CN': '邮件附件 {name} 未被接受。',
};

function noteOf(name: string, locale: Locale): string {
  return NOTES[locale].replace('{name}', () => name.replace(/\p{Cc}/gu, ' '));
}

/** RFC 3834, and what programs set that do not follow it: nobody wrote such a mail. */
function isAutomatic({ headers }: Email): boolean {
  const headerOf = (name: string) =>
    headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase();
  const submitted = headerOf('auto-submitted');
  if (submitted !== undefined && !submitted.startsWith('no')) return true;
  if (/^(?:bulk|junk|list|auto_reply)/.test(headerOf('precedence') ?? '')) return true;
  if (['x-autoreply', 'x-autorespond', 'x-auto-reply', 'list-id'].some((name) => headerOf(name) !== undefined)) {
    return true;
  }
  return headers.filter(({ key }) => key === 'received').length > HOPS;
}

/** Identifies a mail of a user in an issue, however often it is sent. */
function keyOf({ userId, issueId }: ReplyTarget, { messageId }: Email, source: Buffer): string {
  const own = messageId ? `id ${messageId}` : createHash('sha256').update(source).digest('hex');
  return `mail-${createHash('sha256').update(`${userId} ${issueId} ${own}`).digest('hex').slice(0, 40)}`;
}

/** A mail; null when it has too many parts or takes too long to read. @throws {Problem} serverBusy, for a later attempt */
async function readMail(source: Buffer): Promise<Email | null> {
  if (hasManyParts(source)) return null;
  try {
    return await inWorker<Uint8Array, Email>({ customerId: 0 }, new URL('./mail-worker.ts', import.meta.url), source);
  } catch (error) {
    if (error instanceof Problem && error.code !== 'serverBusy') return null;
    throw error;
  }
}

/** Each line that begins like a boundary may start a part, of which the reader keeps thousands of bytes. */
function hasManyParts(source: Buffer): boolean {
  let lines = 0;
  for (let at = source.indexOf('\n--'); at >= 0; at = source.indexOf('\n--', at + 3)) {
    lines += 1;
    if (lines > BOUNDARY_LINES) return true;
  }
  return false;
}
