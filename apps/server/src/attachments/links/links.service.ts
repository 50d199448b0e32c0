import { attachmentEndpoints, type ResultOf, SIGNED_URL_SECONDS } from '@chargehand/contract';
import type { UserRights } from '../../access/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { ContentService, Download } from '../content/content.service.ts';
import { isValidAt, linkTokens } from './link-tokens.ts';

/** A file that a link gives. */
export interface LinkedFile extends Download {
  /** True while the user of the link may still download the file. */
  holds(): Promise<boolean>;
}

/** Refusals that say something about the file itself; all others only say that the link has ended. */
const OF_FILE: ReadonlySet<string> = new Set(['attachmentInfected', 'attachmentWaiting']);

export type LinksService = ReturnType<typeof linksService>;

/**
 * Signed links that download one file without a session: for download programs and other devices of the same user. A
 * link gives what its user may download at the moment of the request, and nothing else.
 */
export function linksService(parts: {
  content: Pick<ContentService, 'downloads'>;
  clock: Clock;
  key: string;
  /** The rights of an enabled user who may still call an endpoint; null for others. */
  rightsOf(userId: number, endpointId: string): Promise<UserRights | null>;
}) {
  const { content, clock, key, rightsOf } = parts;
  const tokens = linkTokens(key);

  async function permitted(userId: number, fileId: number): Promise<Download> {
    const rights = await rightsOf(userId, attachmentEndpoints.linkAttachment.id);
    const found = rights && (await content.downloads(rights, [fileId])).get(fileId);
    if (found && !(found instanceof Problem)) return found;
    throw found && OF_FILE.has(found.code) ? found : new Problem('attachmentLinkEnded');
  }

  return {
    /** @throws {Problem} when the caller may not download the file */
    async link(
      caller: Caller,
      fileId: number,
      seconds = SIGNED_URL_SECONDS,
    ): Promise<ResultOf<(typeof attachmentEndpoints)['linkAttachment']>> {
      const found = (await content.downloads(caller, [fileId])).get(fileId);
      if (!found || found instanceof Problem) throw found ?? new Problem('noPermission');
      // Links are made in full seconds, and never last longer than requested.
      const until = new Date(Math.floor(clock.now().getTime() / 1_000 + seconds) * 1_000);
      // During an impersonation the link belongs to the root account: it must not outlive what that may do.
      const userId = caller.viewer?.userId ?? caller.userId;
      const token = tokens.make({ fileId, userId, until });
      const url = `${attachmentEndpoints.linkedContent.path}?token=${token}`;
      return { url, expiresAt: until };
    },

    /** The file of a link. The signature and the time are checked before anything is read. @throws {Problem} */
    async open(token: string): Promise<LinkedFile> {
      const claim = tokens.read(token);
      if (!claim) throw new Problem('attachmentLinkInvalid');
      if (!isValidAt(claim, clock.now())) throw new Problem('attachmentLinkExpired');
      const { userId, fileId } = claim;
      const file = await permitted(userId, fileId);
      return {
        ...file,
        holds: () =>
          permitted(userId, fileId).then(
            () => true,
            (error: unknown) => {
              if (error instanceof Problem) return false;
              throw error;
            },
          ),
      };
    },
  };
}
