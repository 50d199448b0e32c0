import { createHash, randomBytes } from 'node:crypto';
import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { type Locale, localeOf } from '@chargehand/contract';
import type { Clock } from '../../platform/clock.ts';
import { isLocalName, LOCAL_DOMAIN } from '../../platform/config/pages-domain.ts';
import type { Activity } from '../activity/activity.ts';
import { takeHosts } from './by-host.ts';
import { type DeviceProxy, deviceProxy, type PageGuest, type PageUser, refuseUpgrade } from './device-proxy.ts';
import { type Notice, OWN_HEADERS, sendNotice } from './notices.ts';

/** 130 random bits, as a label of a host name. */
const LABEL_BYTES = 17;
const LABEL = /^[a-z2-7]{26}$/;
const CODE_BYTES = 24;
/** How long the address of a page can be opened. */
const CODE_MS = 60_000;
/** Browsers that may use the pages of one link: more indicates a mistake. */
const MAX_USERS = 20;
const MAX_CODES = 10_000;
/** Cookies of guests whose access has ended, of one link, so that their browsers show why. */
const MAX_FORMER = 100;
const OPEN_PATH = '/.well-known/chargehand-link/';
const COOKIE = 'chargehand-page';

export type Pages = ReturnType<typeof pages>;

/** Who opens the pages of a device. */
export interface Viewer {
  locale: Locale;
  /** for guests; the same object when a guest opens the pages again */
  guest?: PageGuest;
  /** Calls `end` when the viewer may not use the pages any more. @returns a function that stops this */
  watch(end: () => void): () => void;
}

interface User extends PageUser {
  leave(): void;
}

interface Code {
  page: Page;
  viewer: Viewer;
  until: number;
  /** Stops to wait for the end of the viewer, and forgets the code. */
  drop(): void;
}

interface Page {
  linkId: number;
  label: string;
  proxy: DeviceProxy;
  /** by the SHA-256 of their cookie */
  users: Map<string, User>;
  /** guests whose access has ended, by the SHA-256 of their cookie */
  former: Set<string>;
  /** the last request of the user of the link */
  usedAt: number | null;
}

/**
 * The pages of devices, each link on an origin of its own: a random label below the domain for pages. The console opens
 * them with an address that works once, which sets a cookie of that origin.
 */
export function pages(parts: {
  connect(linkId: number, port: number): Promise<Duplex>;
  activity: Activity;
  clock: Clock;
  /** the domain for pages, in lower case */
  domain: string;
  /** the address of the console for browsers */
  consoleUrl(): string;
  /** the name of the product in a language */
  productName(locale: Locale): string;
}) {
  const { connect, activity, clock, domain, consoleUrl, productName } = parts;
  const byLink = new Map<number, Page>();
  const byLabel = new Map<string, Page>();
  /** by the SHA-256 of the code */
  const codes = new Map<string, Code>();
  const releases: (() => void)[] = [];

  function takes(host: string): boolean {
    if (host === domain) return domain !== LOCAL_DOMAIN;
    if (!host.endsWith(`.${domain}`)) return false;
    // Any other name of this machine may be that of the console.
    return domain !== LOCAL_DOMAIN || LABEL.test(host.slice(0, -domain.length - 1));
  }

  /** The user of a request to a page. `own`: it comes from the page itself, or the user entered its address. */
  function find(request: IncomingMessage, host: string) {
    const { headers } = request;
    const page = byLabel.get(host.split('.', 1)[0] ?? '') ?? null;
    const value = page && cookieOf(headers.cookie, cookieName());
    const user = page && value ? (page.users.get(hashOf(value)) ?? null) : null;
    const isFormer = page !== null && !!value && page.former.has(hashOf(value));
    const pageOrigin = `${new URL(consoleUrl()).protocol}//${host}`;
    const site = headers['sec-fetch-site'];
    const own =
      (site === undefined || site === 'same-origin' || site === 'none') &&
      (headers.origin === undefined || headers.origin === pageOrigin);
    if (own && page && user && !user.guest) page.usedAt = clock.now().getTime();
    return { page, user: own ? user : null, isFormer, pageOrigin };
  }

  function onRequest(request: IncomingMessage, response: ServerResponse, host: string): void {
    response.on('error', () => undefined);
    const url = request.url ?? '';
    const { page, user, isFormer, pageOrigin } = find(request, host);
    const { method } = request;
    const locale = user?.locale ?? localeOf(request.headers['accept-language']);
    const say = (notice: Notice) => sendNotice(response, { method, locale, notice, product: productName(locale) });
    if (!page) say('over');
    else if (method === 'GET' && url.startsWith(OPEN_PATH)) {
      if (!redeem(page, url.slice(OPEN_PATH.length), response)) say('notAllowed');
    } else if (!user) say(isFormer ? 'guestOver' : 'notAllowed');
    else page.proxy.forward(request, response, user, pageOrigin);
  }

  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer, host: string): void {
    const { page, user, pageOrigin } = find(request, host);
    const isWebSocket = request.headers.upgrade?.toLowerCase() === 'websocket' && request.method === 'GET';
    if (!page) refuseUpgrade(socket, 410);
    else if (!user || request.headers.origin !== pageOrigin) refuseUpgrade(socket, 403);
    else if (!isWebSocket) refuseUpgrade(socket, 400);
    else page.proxy.upgrade(request, socket, head, user, pageOrigin);
  }

  /** Uses a code: sets the cookie, and continues with the first page. */
  function redeem(page: Page, code: string, response: ServerResponse): boolean {
    const found = codes.get(hashOf(code));
    if (found?.page !== page || found.until <= clock.now().getTime()) return false;
    found.drop();
    const value = randomBytes(CODE_BYTES).toString('base64url');
    const key = hashOf(value);
    const { locale, guest, watch } = found.viewer;
    const user: User = { locale, running: new Set(), leave: () => undefined, ...(guest && { guest }) };
    // A guest has one browser.
    for (const [other, { guest: of }] of page.users) if (guest && of === guest) endUser(page, other);
    page.users.set(key, user);
    user.leave = watch(() => endUser(page, key));
    const [oldest] = page.users.keys();
    if (page.users.size > MAX_USERS && oldest !== undefined) endUser(page, oldest);
    const secure = isSecure() ? '; Secure' : '';
    response.writeHead(200, {
      ...OWN_HEADERS,
      'content-type': 'text/html; charset=utf-8',
      'set-cookie': `${cookieName()}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}`,
      // A redirect would still count as one from the console, which gets no strict cookie.
      refresh: '0; url=/',
    });
    response.end('<!doctype html><meta charset="utf-8"><title>…</title><a href="/">…</a>\n');
    return true;
  }

  function endUser(page: Page, key: string): void {
    const user = page.users.get(key);
    if (!user) return;
    page.users.delete(key);
    if (user.guest && page.former.size < MAX_FORMER) page.former.add(key);
    user.leave();
    for (const stop of [...user.running]) stop();
  }

  /** With this prefix, pages of other links cannot set the cookie. It needs HTTPS. */
  const cookieName = () => (isSecure() ? `__Host-${COOKIE}` : COOKIE);
  const isSecure = () => consoleUrl().startsWith('https:');

  function endOf(linkId: number): void {
    const page = byLink.get(linkId);
    if (!page) return;
    byLink.delete(linkId);
    byLabel.delete(page.label);
    for (const { page: of, drop } of codes.values()) if (of === page) drop();
    for (const key of [...page.users.keys()]) endUser(page, key);
    page.proxy.close();
  }

  return {
    /** True if browsers that reach the console by a name can reach the pages. */
    reaches: (origin: URL) => domain !== LOCAL_DOMAIN || isLocalName(origin.hostname),

    /**
     * The address that opens the pages of a link in a new tab. It works once, for a minute. All viewers of a link share
     * its origin, and the cookies of the device, except guests with their own. `origin`: that of the console in the browser.
     */
    open({ linkId, port, origin }: { linkId: number; port: number; origin: URL }, viewer: Viewer): string {
      let page = byLink.get(linkId);
      if (!page) {
        const proxy = deviceProxy({ linkId, port, connect, activity, clock, productName });
        page = { linkId, label: newLabel(), proxy, users: new Map(), former: new Set(), usedAt: null };
        byLink.set(linkId, page);
        byLabel.set(page.label, page);
      }
      const now = clock.now().getTime();
      for (const { until, drop } of codes.values()) if (until <= now || codes.size >= MAX_CODES) drop();
      const code = randomBytes(CODE_BYTES).toString('base64url');
      const drop = () => {
        codes.delete(hashOf(code));
        leave();
      };
      const leave = viewer.watch(drop);
      codes.set(hashOf(code), { page, viewer, until: now + CODE_MS, drop });
      const { protocol, port: publicPort } = domain === LOCAL_DOMAIN ? origin : new URL(consoleUrl());
      return `${protocol}//${page.label}.${domain}${publicPort && `:${publicPort}`}${OPEN_PATH}${code}`;
    },

    /** When the user of a link last used its pages: now while they receive something, null: never. */
    usedAt(linkId: number): number | null {
      const page = byLink.get(linkId);
      const uses = [...(page?.users.values() ?? [])].some(({ guest, running }) => !guest && running.size > 0);
      return uses ? clock.now().getTime() : (page?.usedAt ?? null);
    },

    /** Ends the pages of a link: its requests and WebSockets, and its address. */
    endOf,

    /** Takes the requests to pages from the server of the console. */
    attach(server: HttpServer | HttpsServer): void {
      releases.push(takeHosts(server, { takes, request: onRequest, upgrade: onUpgrade }));
    },

    stop(): void {
      for (const linkId of [...byLink.keys()]) endOf(linkId);
      for (const release of releases.splice(0)) release();
    },
  };
}

function newLabel(): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
  const bits = [...randomBytes(LABEL_BYTES)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return Array.from(
    { length: 26 },
    (_, index) => alphabet[Number.parseInt(bits.slice(index * 5, index * 5 + 5), 2)],
  ).join('');
}

/** SHA-256 is enough for random values. */
function hashOf(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}

function cookieOf(header: string | undefined, name: string): string | null {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}
