/** Constants of spec §9 that server and console share; times in milliseconds unless the name says otherwise. */
export const REQUEST_TIMEOUT_MS = 600_000;
export const POLL_MS = 30_000;
export const MESSAGE_POLL_MS = 15_000;
/** The live stream says this often that it is there: often enough for the timeouts of proxies, which is a minute or more. */
export const STREAM_BEAT_MS = 15_000;
export const TOAST_MS = 5_000;
export const CHUNK_TIMEOUT_MS = 120_000;
export const SIGNED_URL_SECONDS = 3_600;
export const PAGE_SIZES = [10, 20, 50, 100] as const;
export const DEFAULT_PAGE_SIZE = 20;

/** What a list of devices can be sorted by. */
export const DEVICE_SORTS = ['name', 'sn', 'statusSince', 'maintenanceDue'] as const;

/** Rows of a file of devices that are imported at once: what one transaction takes in a few seconds. */
export const IMPORT_ROWS = 10_000;
/** Pictures of one device. */
export const DEVICE_PICTURES = 12;

/** Whether an alarm goes on. */
export const ALARM_STATES = ['open', 'cleared'] as const;
/** What alarms are ranked by. */
export const ALARM_RANKINGS = ['site', 'device', 'model', 'code', 'kind', 'level'] as const;
/** Days that rankings and trends look back. */
export const STATISTICS_DAYS = [7, 30, 90] as const;

/** At most this many points are drawn of a series, whatever the range. */
export const MAX_POINTS = 2_000;
/** What may be asked for at once: devices, quantities of each, and days. */
export const MAX_CHART_DEVICES = 10;
export const MAX_CHART_ITEMS = 20;
export const MAX_CHART_DAYS = 732;
/** What is shown of a counter: what it showed, or what it counted within equal spans. */
export const COUNTER_VIEWS = ['level', 'rise'] as const;

/** Frame types of spec §3: open 0, close 1, receive 2, send 3. */
export const FRAME_TYPES = { open: 0, close: 1, receive: 2, send: 3 } as const;

export const LOCALES = ['en-US', 'zh-CN'] as const;
export type Locale = (typeof LOCALES)[number];
export const DEFAULT_LOCALE: Locale = 'en-US';

/** What a person may choose of the look; `system` follows their machine. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof THEMES)[number];

/** Who knows a password: its owner alone, somebody who gave it too, or nobody yet. */
export const PASSWORD_STATES = ['own', 'given', 'invited'] as const;
export type PasswordState = (typeof PASSWORD_STATES)[number];

/** The results of an outgoing mail: waiting or stored, sent, failed, and expired with its link. */
export const MAIL_STATES = ['waiting', 'sent', 'failed', 'expired'] as const;
export type MailState = (typeof MAIL_STATES)[number];

/** How long the links of mails hold: spec §5 for passwords; an invitation may be read after a weekend. */
export const RESET_LINK_HOURS = 2;
export const INVITATION_HOURS = 72;

/** Why a connection attempt did not get a device in. */
export const ATTEMPT_REASONS = [
  /** the SN is not registered */
  'unknown',
  /** the path or user name is no SN */
  'path',
  /** not a valid request for a WebSocket, or no MQTT */
  'malformed',
  /** plain HTTP without the headers of a WebSocket, which proxies may take out */
  'noUpgrade',
  'disabled',
  'password',
  'insecure',
  'certificate',
  'subprotocol',
  /** the SN cannot be a level of an MQTT topic */
  'topic',
  'will',
  /** too many refused attempts before this one */
  'throttled',
  /** too many connections are open */
  'full',
] as const;
export type AttemptReason = (typeof ATTEMPT_REASONS)[number];

export const TOKEN_COOKIE = 'x-auth-token';
export const CSRF_COOKIE = 'x-csrf';
export const CSRF_HEADER = 'x-csrf';
/** Names the page of the console that makes a request. */
export const PAGE_HEADER = 'x-page';
/** Names, on every call, whom the console believes to see as: the server refuses a call that would be anybody else's. */
export const VIEWING_HEADER = 'x-viewing';
/** A root account sees the console as somebody else for at most so long. */
export const VIEWING_MINUTES = 30;
export const LOCALE_COOKIE = 'locale';

/** Reads a language tag list such as an Accept-Language header; anything but Chinese is English (spec §1). */
export function localeOf(tags: string | undefined | null): Locale {
  return /^\s*zh\b/i.test(tags ?? '') ? 'zh-CN' : DEFAULT_LOCALE;
}

/** The lists whose columns and density everybody arranges for themselves. */
export const LIST_NAMES = [
  'devices',
  'customers',
  'sites',
  'users',
  'roles',
  'actionLogs',
  'loginLogs',
  'blacklistEntries',
  'mails',
  'onlineSessions',
] as const;
export type ListName = (typeof LIST_NAMES)[number];

/** How close the rows of a list stand. */
export const DENSITIES = ['compact', 'comfortable'] as const;

/**
 * How many rows one call changes at most, and how many devices one batch asks: as many as the largest sites have; more
 * is no longer looked after by a person.
 */
export const BULK_LIMIT = 1_000;

/** What people and devices may be seen to have done to a thing (spec §3, operation types, and `control` for commands). */
export const OPERATIONS = ['new', 'edit', 'delete', 'disable', 'enable', 'control'] as const;

/** Codes that end the session in the console (spec §4). Apart from the registry, whose sentences the console does not carry. */
export const SESSION_CODES: readonly number[] = [20001, 20002, 20003, 20004];

/** The code of `someDevicesBusy`: the console offers to leave those out. */
export const SOME_DEVICES_BUSY_CODE = 10344;
