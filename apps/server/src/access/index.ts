import type { Endpoint } from '@chargehand/contract';
import type { FastifyRequest } from 'fastify';
import { isPublicHttps } from '../platform/config/config.ts';
import type { Caller } from '../platform/http/caller.ts';
import type { Enforcer, Guard } from '../platform/http/server.ts';
import type { Room } from '../platform/room.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';
import { searchWordsJob } from '../platform/search/search-words-job.ts';
import type { SealedFields } from '../ports/sealed-fields.ts';
import type { SearchSource } from '../ports/search-source.ts';
import { accountRoutes } from './account/account.routes.ts';
import { accountService } from './account/account.service.ts';
import { accountMails } from './account/account-mails.ts';
import { mailLimits } from './account/mail-limits.ts';
import { ownEmailService } from './account/own-email.service.ts';
import { explainRoutes } from './explain/explain.routes.ts';
import { type ExplainService, explainService } from './explain/explain.service.ts';
import type { Rows } from './explain/row-facts.ts';
import { seedFirstStart } from './first-start/first-start.service.ts';
import { lockFirstStart } from './first-start/first-start.store.ts';
import { callerIfAny, sessionGuard } from './guard.ts';
import { impersonationRoutes } from './impersonation/impersonation.routes.ts';
import { impersonationService } from './impersonation/impersonation.service.ts';
import { onlineRoutes } from './online/online.routes.ts';
import { onlineService } from './online/online.service.ts';
import { firstPasswordService } from './passwords/first-password.service.ts';
import { policyEnforcer } from './policy/enforce.ts';
import { preferencesRoutes } from './preferences/preferences.routes.ts';
import { privacyRoutes } from './privacy/privacy.routes.ts';
import { privacyService } from './privacy/privacy.service.ts';
import { limitPublicCalls } from './public-limit.ts';
import { menusRoutes } from './roles/menus.routes.ts';
import { menusService } from './roles/menus.service.ts';
import { syncReach } from './roles/reach.service.ts';
import { rolesRoutes } from './roles/roles.routes.ts';
import { rolesService } from './roles/roles.service.ts';
import { sealedFields } from './sealed-fields.ts';
import { secondFactorRoutes } from './second-factor/second-factor.routes.ts';
import { secondFactorService } from './second-factor/second-factor.service.ts';
import { secondFactorCodes } from './second-factor/second-factor-codes.ts';
import { type Captcha, captcha } from './sign-in/captcha.ts';
import { recoveryRoutes } from './sign-in/recovery.routes.ts';
import { recoveryService } from './sign-in/recovery.service.ts';
import { sessionRoutes } from './sign-in/sessions.routes.ts';
import { sessionsService } from './sign-in/sessions.service.ts';
import { forgetEndedSessions, shortenSessions } from './sign-in/sessions.store.ts';
import { signInLimits } from './sign-in/sign-in-limits.ts';
import { forgetExpiredTokens } from './sign-in/spent-tokens.store.ts';
import { userRights } from './user-rights.ts';
import { userSearch } from './users/user-search.ts';
import { usersRoutes } from './users/users.routes.ts';
import { usersService } from './users/users.service.ts';
import './tables.ts';

export type { DemoUser, PastSession } from './demo-users.store.ts';
export { loadDemoUsers, loadPastSessions } from './demo-users.ts';
export { type ExplainedStep, explanationOf, step } from './explain/step.ts';
export { FIRST_USER } from './first-start/first-start.service.ts';
export { SEES_USER } from './policy/access-rows.ts';
export { limitPublicCalls, PUBLIC_PARTS_A_MINUTE } from './public-limit.ts';
export { findOrCreateSecret } from './secrets.store.ts';
export { signIns } from './sign-in/metrics.ts';
export { networkOf } from './sign-in/sign-in-limits.ts';
export { boundUserRights, type UserRights } from './user-rights.ts';

/** How long an expired session may look open in the sign-in log and keep a live stream. */
const SWEEP_MS = 5_000;

export interface AccessRoom extends Required<Room> {
  guard: Guard;
  /** the user of a request to a public route; null without an open session */
  callerIfAny(request: FastifyRequest, endpoint: Endpoint): Promise<Caller | null>;
  /** limits the requests of one address to public endpoints */
  limitPublic: typeof limitPublicCalls;
  /** proofs of work, each valid once */
  captcha: Pick<Captcha, 'redeem'>;
  /** decrypts what browsers encrypt for this server */
  sealed: SealedFields;
  /** the generated password of the administrator, shown once and not stored */
  firstPassword: string | null;
  /** explains what users may do */
  explain: Pick<ExplainService, 'boundUserSteps'>;
  /** Ends the sessions of disabled accounts and customers, notifies their live streams, and logs each. */
  signOutDisabled(): Promise<void>;
  /** Applies shorter lengths of sessions to open sessions, and ends those that are over. */
  shortenSessions(): Promise<void>;
}

declare module '../platform/rooms/assemble.ts' {
  interface Parts {
    access: AccessRoom;
    enforcer: Enforcer;
    /** the rights of an enabled user who may still call an endpoint; null for others */
    rightsOf: (userId: number, endpointId: string) => ReturnType<typeof userRights>;
    /** the rows that policies and explanations are about */
    rows: Pick<Rows, 'finders' | 'places'>;
    userSearch: SearchSource;
  }
}

/**
 * Sign-in, sessions, users, roles, scopes, menus and interfaces, privacy. Before the server is ready, the first data
 * exists, and menus and interfaces match the contract.
 */
export const access = declareRoom({
  name: 'access',
  needs: [
    'db',
    'pool',
    'bus',
    'events',
    'mailer',
    'pictures',
    'config',
    'parameters',
    'clock',
    'log',
    'version',
    'rows',
  ],
  later: ['live'],
  provides: ['access', 'enforcer', 'rightsOf', 'userSearch'],
  async open(parts) {
    const { db, pool, bus, events, mailer, pictures, config, parameters, clock, log, version, rows } = parts;
    const livePosition = () => parts.live().position();
    const firstPassword = await db.transaction().execute(async (trx) => {
      await lockFirstStart(trx);
      await syncReach(trx);
      return await seedFirstStart(trx, config.adminPassword);
    });
    if (!config.captcha) {
      log.warn(
        'the captcha is off (CHARGEHAND_CAPTCHA): use this for automated tests only, because passwords can be guessed faster',
      );
    }
    const sealed = await sealedFields(db);
    const rules = { sealed, passwordLength: () => parameters.get('passwordLength') };
    const oneTime = await captcha(db, { required: config.captcha, clock });
    const limits = signInLimits({ db, pool, clock, parameters });
    const codes = await secondFactorCodes(db, mailer.productName);
    const sessions = sessionsService({
      ...{ db, bus, events, captcha: oneTime, sealed, limits, codes, settings: config, version, livePosition },
      mailsDelivered: mailer.delivers,
    });
    const mails = accountMails(mailer);
    const sending = mailLimits(pool);
    const mailing = { db, sealed, signIns: limits, mails, limits: sending, clock };
    const recovery = recoveryService({ ...mailing, rules, captcha: oneTime, sessions, log });
    const impersonation = impersonationService({ db, pool, bus });
    const sweep = clock.repeat(
      async () => {
        await sessions.sweep();
        await clock.deleteOld('sessions', (now) => forgetEndedSessions(db, now));
        await impersonation.sweep();
        await limits.forgetExpired();
        await forgetExpiredTokens(db);
      },
      {
        job: 'sessionCleanup',
        everyMs: SWEEP_MS,
        log,
        failed: 'ended sessions could not be cleaned up; trying again shortly',
      },
    );
    const explain = explainService({ db, pool, ...rows });
    const words = searchWordsJob([{ table: 'users', name: 'nick_name' }], { db, clock, log });
    const room: AccessRoom = {
      name: 'access',
      role: 'jobs',
      start() {
        sweep.startLater();
        void words.start();
      },
      guard: sessionGuard({ db, pool, clock }, config),
      callerIfAny: (request, endpoint) => callerIfAny({ db, pool, clock }, request, endpoint),
      limitPublic: limitPublicCalls,
      captcha: oneTime,
      sealed,
      firstPassword,
      explain,
      routes(app) {
        sessionRoutes(app, {
          ...{ guardParts: { db, pool, clock }, sessions, impersonation, sealed },
          captcha: oneTime,
          limits: config,
          isPublicHttps: isPublicHttps(config),
        });
        preferencesRoutes(app, db);
        rolesRoutes(
          app,
          rolesService(db, () => sessions.rightsChanged(null)),
        );
        accountRoutes(app, accountService({ db, sealed, rules, sessions, limits }));
        impersonationRoutes(app, impersonation);
        explainRoutes(app, explain);
        menusRoutes(app, menusService(db));
        const users = usersService({ db, sealed, rules, sessions, mails, limits: sending, pictures, clock });
        usersRoutes(app, users);
        secondFactorRoutes(app, secondFactorService({ db, sealed, limits, sessions, codes, clock }), users);
        recoveryRoutes(app, {
          recovery,
          firstPassword: firstPasswordService({ db, rules, sessions }),
          ownEmail: ownEmailService(mailing),
        });
        onlineRoutes(app, onlineService({ db, sessions }));
        privacyRoutes(app, privacyService(db));
      },
      signOutDisabled: () => sessions.sweep(),
      async shortenSessions() {
        await shortenSessions(db, config);
        await sessions.sweep();
      },
      async stop() {
        await sweep.stop();
        await words.stop();
        await recovery.settled();
      },
    };
    return {
      ...room,
      access: room,
      enforcer: policyEnforcer({ db, pool }, rows.finders),
      rightsOf: (userId, endpointId) => userRights(pool, userId, endpointId),
      userSearch: userSearch(db),
    };
  },
});
