import { isFaultType, type MessageType } from './message-types.ts';

/** How a user, or by default a role, is notified of a type of message. */
export interface MessageSetting {
  inApp: boolean;
  email: boolean;
  /** in the browsers that the user registered */
  push: boolean;
  /** mails are collected for the daily digest; pushes are not */
  delayed: boolean;
}

/** A daily period, in minutes since midnight. It may include midnight. */
export interface QuietHours {
  from: number;
  to: number;
}

/** Minutes since midnight of the digest of users who have not set a time. */
export const DIGEST_MINUTE = 8 * 60;

/** Why a user gets no message. */
export const REFUSALS = ['inactive', 'actor', 'notNamed', 'outside', 'notPermitted', 'muted', 'off'] as const;
export type Refusal = (typeof REFUSALS)[number];

/** What connects a user with a site, beyond the places that their role includes. */
export const SITE_TIES = ['assigned', 'receiver', 'onDuty', 'substitute'] as const;
export type SiteTie = (typeof SITE_TIES)[number];

/** How a user takes part in an issue. */
export const ISSUE_TIES = ['assignee', 'watcher', 'mentioned', 'reporter'] as const;
export type IssueTie = (typeof ISSUE_TIES)[number];

/** What decided the setting. `always`: it cannot be changed. */
export const SETTING_SOURCES = ['always', 'user', 'onCall', 'siteReceiver', 'emailAlarm', 'role', 'default'] as const;
export type SettingSource = (typeof SETTING_SOURCES)[number];

/** When a mail is sent, or why not. */
export const MAIL_TIMES = ['now', 'quiet', 'digest', 'off', 'noAddress'] as const;
export type MailTime = (typeof MAIL_TIMES)[number];

/** When a push is sent, or why not. */
export const PUSH_TIMES = ['now', 'quiet', 'off', 'noBrowser'] as const;
export type PushTime = (typeof PUSH_TIMES)[number];

/** Everything about a user that decides whether and how they get a message. */
export interface ReceiverFacts {
  /** the account and its customer are enabled */
  active: boolean;
  /** the user caused it */
  actor: boolean;
  /** the notice names this user, or nobody */
  named: boolean;
  /** the place is in the user's scope */
  inScope: boolean;
  /** the role may open the object */
  permitted: boolean;
  /** the user muted the device or the site */
  muted: boolean;
  hasAddress: boolean;
  /** the user registered a browser for pushes */
  hasBrowser: boolean;
  own: MessageSetting | null;
  role: MessageSetting | null;
  /** the role's email alarm (spec §6) */
  emailAlarm: boolean;
  /** a notification receiver of the site (spec §3) */
  siteReceiver: boolean;
  /** on duty for the place now */
  onCall: boolean;
  /** notified of the incident while on duty */
  wasOnCall: boolean;
  quiet: QuietHours | null;
  /** minutes since midnight */
  digestAt: number;
}

/** Whether and how a user gets a message, and why. */
export interface Delivery {
  refusal: Refusal | null;
  source: SettingSource | null;
  inApp: boolean;
  mail: MailTime;
  /** null: no mail */
  mailAt: number | null;
  push: PushTime;
  /** null: no push */
  pushAt: number | null;
}

/** Registering a browser is a decision of the user, so pushes are on by default. */
const IN_APP: MessageSetting = { inApp: true, email: false, push: true, delayed: false };
const WITH_MAIL: MessageSetting = { ...IN_APP, email: true };

/** The setting of a type of message for a user: the most specific one, and where it comes from. */
export function messageSettingOf(
  type: MessageType,
  facts: Pick<ReceiverFacts, 'own' | 'role' | 'emailAlarm' | 'siteReceiver' | 'onCall'> &
    Partial<Pick<ReceiverFacts, 'wasOnCall'>>,
): { setting: MessageSetting; source: SettingSource } {
  // Who took over an account must not be able to hide it.
  if (type === 'accountSecurity') return { setting: WITH_MAIL, source: 'always' };
  const fault = isFaultType(type) || type === 'recovery';
  if (fault && facts.onCall) return { setting: WITH_MAIL, source: 'onCall' };
  // Who was called because of an alarm learns of its end.
  if (type === 'recovery' && facts.wasOnCall) return { setting: WITH_MAIL, source: 'onCall' };
  if (facts.own) return { setting: facts.own, source: 'user' };
  if (fault && facts.siteReceiver) return { setting: WITH_MAIL, source: 'siteReceiver' };
  if (facts.role) return { setting: facts.role, source: 'role' };
  if (fault && facts.emailAlarm) return { setting: WITH_MAIL, source: 'emailAlarm' };
  // The link does not work until its owner unlocks it.
  return { setting: type === 'shareLocked' ? WITH_MAIL : IN_APP, source: 'default' };
}

/** What decides at some places or times only, before or after the user's own setting. */
export const PLACE_SOURCES = ['onCall', 'siteReceiver'] as const satisfies readonly SettingSource[];
export type PlaceSource = (typeof PLACE_SOURCES)[number];

/**
 * Where the setting of a type does not apply, and what applies there instead. `ties` are those that the user has;
 * `usual` is what applies without a setting of their own, away from these places.
 */
export function settingExceptions(
  type: MessageType,
  { own, usual }: { own: MessageSetting | null; usual: MessageSetting },
  ties: readonly PlaceSource[],
): { source: PlaceSource; setting: MessageSetting }[] {
  return ties.flatMap((tie) => {
    const { source, setting } = messageSettingOf(type, {
      ...{ own, role: usual, emailAlarm: false },
      ...{ siteReceiver: tie === 'siteReceiver', onCall: tie === 'onCall' },
    });
    return source === tie ? [{ source: tie, setting }] : [];
  });
}

/**
 * Decides whether and how a user gets a message of a type now. Quiet hours delay mails and pushes and never drop them;
 * they do not apply to account security and to users on duty, and they
 * do after the shift. `minuteOfDay` is the minute of `now` in the zone of the installation.
 */
export function decideDelivery(
  type: MessageType,
  facts: ReceiverFacts,
  { now, minuteOfDay }: { now: number; minuteOfDay: number },
): Delivery {
  const none = { mail: 'off', mailAt: null, push: 'off', pushAt: null } as const;
  const refusal = refusalOf(facts);
  if (refusal) return { refusal, source: null, inApp: false, ...none };
  const { setting, source } = messageSettingOf(type, facts);
  const { inApp } = setting;
  const urgent = source === 'always' || (source === 'onCall' && facts.onCall);
  const later = (minute: number) => now + minutesUntil(minuteOfDay, minute) * 60_000;
  const quietUntil = !urgent && facts.quiet && isQuietAt(facts.quiet, minuteOfDay) ? later(facts.quiet.to) : null;

  const mailOf = (): Pick<Delivery, 'mail' | 'mailAt'> => {
    if (!setting.email) return { mail: 'off', mailAt: null };
    if (!facts.hasAddress) return { mail: 'noAddress', mailAt: null };
    if (setting.delayed && !urgent) return { mail: 'digest', mailAt: later(facts.digestAt) };
    return quietUntil === null ? { mail: 'now', mailAt: now } : { mail: 'quiet', mailAt: quietUntil };
  };
  const pushOf = (): Pick<Delivery, 'push' | 'pushAt'> => {
    if (!setting.push) return { push: 'off', pushAt: null };
    if (!facts.hasBrowser) return { push: 'noBrowser', pushAt: null };
    return quietUntil === null ? { push: 'now', pushAt: now } : { push: 'quiet', pushAt: quietUntil };
  };
  const decided = { source, inApp, ...mailOf(), ...pushOf() };
  const reached = inApp || decided.mailAt !== null || decided.pushAt !== null;
  return { refusal: reached ? null : 'off', ...decided };
}

/** True in quiet hours; equal times are none. */
export function isQuietAt({ from, to }: QuietHours, minute: number): boolean {
  return from <= to ? minute >= from && minute < to : minute >= from || minute < to;
}

/** The minutes from a minute of the day to the next occurrence of another; a whole day when they are equal. */
export function minutesUntil(minute: number, wanted: number): number {
  return (wanted - minute + 1_440) % 1_440 || 1_440;
}

/** The minute of the day of a time in a zone. */
export function minuteOfDayIn(zone: string, at: Date): number {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).formatToParts(
    at,
  );
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  return (part('hour') % 24) * 60 + part('minute');
}

function refusalOf(facts: ReceiverFacts): Refusal | null {
  if (!facts.active) return 'inactive';
  if (!facts.named) return 'notNamed';
  if (facts.actor) return 'actor';
  if (!facts.inScope) return 'outside';
  if (!facts.permitted) return 'notPermitted';
  return facts.muted ? 'muted' : null;
}
