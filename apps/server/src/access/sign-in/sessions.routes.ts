import { accessEndpoints, CSRF_COOKIE, TOKEN_COOKIE } from '@chargehand/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { SealedFields } from '../../ports/sealed-fields.ts';
import { type GuardParts, holderOf } from '../guard.ts';
import type { ImpersonationService } from '../impersonation/impersonation.service.ts';
import { limitPublicCalls } from '../public-limit.ts';
import type { Captcha } from './captcha.ts';
import type { OpenedSession, Origin, SessionsService } from './sessions.service.ts';
import type { SessionLimits } from './sessions.store.ts';

export interface SessionRouteParts {
  guardParts: GuardParts;
  sessions: SessionsService;
  impersonation: ImpersonationService;
  captcha: Captcha;
  sealed: SealedFields;
  limits: SessionLimits;
  /** users open the console over https:// */
  isPublicHttps: boolean;
}

/** The attributes that both cookies of a session share. */
type CookieAttributes = { path: string; sameSite: 'lax'; secure: boolean };

/** The endpoints of spec §7 for sessions. */
export function sessionRoutes(app: FastifyInstance, parts: SessionRouteParts): void {
  const { guardParts, sessions, impersonation, captcha, sealed, limits } = parts;
  const attributesFor = (request: FastifyRequest): CookieAttributes => ({
    ...{ path: '/', sameSite: 'lax' },
    secure: parts.isPublicHttps || request.protocol === 'https',
  });

  app.register(async (open) => {
    await limitPublicCalls(open);

    serve(open, accessEndpoints.publicKey, async () => sealed.publicKey());

    serve(open, accessEndpoints.captcha, async ({ reply }) => {
      reply.header('cache-control', 'no-store');
      const { captchaId, expiresAt, challenge } = await captcha.make();
      const settings = sessions.settings();
      return { captchaId, expiresAt, required: settings.captcha, challenge, settings };
    });

    serve(open, accessEndpoints.info, async ({ request, reply }) => {
      reply.header('cache-control', 'no-store');
      const { caller, impersonation: state } = await holderOf(guardParts, request, accessEndpoints.info, limits);
      // Requesting the own account acknowledges it.
      if (state === 'over') await impersonation.stop(caller);
      return await sessions.describe(caller);
    });

    serve(open, accessEndpoints.login, async ({ body, request, reply }) => {
      reply.header('cache-control', 'no-store');
      const signIn = { ...body, code: body.code, captcha: body.captcha };
      const opened = await sessions.signIn(signIn, request.cookies[TOKEN_COOKIE], originOf(request));
      setCookies(reply, opened, attributesFor(request));
      request.cookies[TOKEN_COOKIE] = opened.token;
      const { caller } = await holderOf(guardParts, request, accessEndpoints.login, limits);
      return await sessions.describe(caller);
    });

    serve(open, accessEndpoints.logout, async ({ request, reply }) => {
      const token = request.cookies[TOKEN_COOKIE];
      if (token) await sessions.signOut(token);
      clearCookies(reply, attributesFor(request));
      return null;
    });
  });

  serve(app, accessEndpoints.acceptPrivacy, ({ caller, body }) => sessions.acceptPrivacy(caller, body.version));
}

function originOf(request: FastifyRequest): Origin {
  return { address: request.ip, userAgent: request.headers['user-agent'] ?? '' };
}

/** Both end with the browser. The server decides when the session itself ends. */
function setCookies(reply: FastifyReply, session: OpenedSession, shared: CookieAttributes): void {
  reply.setCookie(TOKEN_COOKIE, session.token, { ...shared, httpOnly: true });
  reply.setCookie(CSRF_COOKIE, session.csrf, shared);
}

function clearCookies(reply: FastifyReply, shared: CookieAttributes): void {
  reply.clearCookie(TOKEN_COOKIE, { ...shared, httpOnly: true });
  reply.clearCookie(CSRF_COOKIE, shared);
}
