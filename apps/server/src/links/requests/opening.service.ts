import type { BodyOf, linkEndpoints, ResultOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { SealedFields } from '../../ports/sealed-fields.ts';
import { sessionEnded } from '../../ports/sessions.ts';
import type { LinkKeys } from '../link-keys.ts';
import { findLink, type LinkRecord } from '../links.store.ts';
import type { TerminalSignIn } from '../terminal/device-sign-in.ts';
import type { Terminals } from '../terminal/terminals.ts';
import type { Pages } from '../web/pages.ts';

type Endpoints = typeof linkEndpoints;
export type OpeningService = ReturnType<typeof openingService>;

/** Opens terminals and web pages in open links. */
export function openingService(parts: {
  db: Kysely<Database>;
  bus: Bus;
  sealed: Pick<SealedFields, 'open'>;
  terminals: Pick<Terminals, 'open'>;
  keys: Pick<LinkKeys, 'find'>;
  /** null: web pages of devices are off */
  pages: Pick<Pages, 'open' | 'reaches'> | null;
}) {
  const { db, bus, sealed, terminals, keys, pages } = parts;

  /** The entered user and password; without a user, the one who accepts the key of the link. */
  async function signInOf(link: LinkRecord, entered: BodyOf<Endpoints['openTerminal']>): Promise<TerminalSignIn> {
    const { userName, password } = entered;
    if (userName === undefined) {
      const privateKey = keys.find(link.id);
      if (link.shellUser === null || privateKey === null) throw new Problem('fieldRequired', { field: 'userName' });
      return { userName: link.shellUser, privateKey };
    }
    if (password === undefined) throw new Problem('fieldRequired', { field: 'password' });
    return { userName, password: await sealed.open('password', password) };
  }

  return {
    /**
     * Opens a terminal in an open link, for the user who requested it.
     * @param token the cookie of the session
     */
    async openTerminal(
      caller: Caller,
      token: string,
      id: number,
      entered: BodyOf<Endpoints['openTerminal']>,
    ): Promise<ResultOf<Endpoints['openTerminal']>> {
      const link = await findLink(db, id);
      if (link?.state !== 'open' || link.kind !== 'ssh') throw new Problem('linkNotOpen');
      if (link.requestedBy !== caller.userId) throw new Problem('noPermission');
      const { cols, rows } = entered;
      const target = { linkId: id, port: link.port };
      const signIn = await signInOf(link, entered);
      return await terminals.open(caller, token, target, { ...signIn, size: { cols, rows } });
    },

    /**
     * The address of the web pages of a device in an open link, for the user who requested it. They end with the session
     * of the caller.
     * @param origin the origin of the console in the browser
     */
    async openPages(caller: Caller, origin: URL, id: number): Promise<{ url: string }> {
      const link = await findLink(db, id);
      if (link?.state !== 'open' || link.kind !== 'web') throw new Problem('linkNotOpen');
      if (link.requestedBy !== caller.userId) throw new Problem('noPermission');
      if (!pages?.reaches(origin)) throw new Problem('pagesOff');
      const watch = (end: () => void) => bus.subscribe(sessionEnded(caller.sessionId), end);
      return { url: pages.open({ linkId: id, port: link.port, origin }, { locale: caller.locale, watch }) };
    },
  };
}
