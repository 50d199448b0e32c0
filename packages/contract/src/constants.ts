/** Constants of spec §9 that server and console share. Times are in milliseconds unless the name says otherwise. */
export const REQUEST_TIMEOUT_MS = 600_000;
export const POLL_MS = 30_000;
/** Between two fetches of what changes slowly: key figures, problems of the platform, waiting devices. */
export const SLOW_POLL_MS = 60_000;
export const MESSAGE_POLL_MS = 15_000;
/**
 * Interval of the live stream's `alive` event; shorter than the timeouts of common proxies, which are one minute or
 * more.
 */
export const STREAM_HEARTBEAT_MS = 15_000;
export const TOAST_MS = 5_000;
export const CHUNK_TIMEOUT_MS = 120_000;
export const SIGNED_URL_SECONDS = 3_600;
export const PAGE_SIZES = [10, 20, 50, 100] as const;
export const DEFAULT_PAGE_SIZE = 20;

/** The sort fields of device lists. */
export const DEVICE_SORTS = ['name', 'sn', 'statusSince', 'maintenanceDue'] as const;

/** The kinds of row that the global search finds, in the order of its answer. */
export const SEARCH_KINDS = ['device', 'site', 'customer', 'user', 'document', 'issue'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];
/** Matches of each kind in the global search. */
export const SEARCH_LIMIT = 5;

/** The tabs of the list of issues. */
export const ISSUE_TABS = ['open', 'closed', 'all'] as const;

/** Maximum number of rows in one device import; one transaction handles them in a few seconds. */
export const IMPORT_ROWS = 10_000;
/** Maximum number of pictures of one device. */
export const DEVICE_PICTURES = 12;

/** Maximum number of executions in an event. */
export const EXECUTIONS_SENT = 20;

/** The most weeks that a week of the on-call schedule is copied to. */
export const COPIED_WEEKS = 12;
/** The number of messages that the notification bell lists. */
export const BELL_ROWS = 10;

/** Filter for open or cleared alarms. */
export const ALARM_STATES = ['open', 'cleared'] as const;
/** The dimensions of alarm rankings. */
export const ALARM_RANKINGS = ['site', 'device', 'model', 'code', 'kind', 'level'] as const;
/** The periods of rankings and trends, in days. */
export const STATISTICS_DAYS = [7, 30, 90] as const;

/** Maximum number of points in a series, whatever the range. */
export const MAX_POINTS = 2_000;
/** Limits of one chart request: devices, quantities per device, and days. */
export const MAX_CHART_DEVICES = 10;
export const MAX_CHART_ITEMS = 20;
export const MAX_CHART_DAYS = 732;
/** Views of a counter: its value, or its increase in intervals of equal length. */
export const COUNTER_VIEWS = ['level', 'rise'] as const;

/** Frame types of spec §3: open 0, close 1, receive 2, send 3. */
export const FRAME_TYPES = { open: 0, close: 1, receive: 2, send: 3 } as const;

export const LOCALES = ['en-US', 'zh-CN'] as const;
export type Locale = (typeof LOCALES)[number];
export const DEFAULT_LOCALE: Locale = 'en-US';

/** Options for the appearance; `system` follows the operating system. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof THEMES)[number];

/** Who knows a password: only the user, also the person who set it, or nobody yet. */
export const PASSWORD_STATES = ['own', 'given', 'invited'] as const;
export type PasswordState = (typeof PASSWORD_STATES)[number];

/** The states of an outgoing mail: waiting or stored, sent, failed, or expired with its link. */
export const MAIL_STATES = ['waiting', 'sent', 'failed', 'expired'] as const;
export type MailState = (typeof MAIL_STATES)[number];

/** Validity of links in mails: spec §5 for passwords. Invitations have longer, so that they survive a weekend. */
export const RESET_LINK_HOURS = 2;
export const INVITATION_HOURS = 72;

/** Why a connection attempt was rejected. */
export const ATTEMPT_REASONS = [
  /** the SN is not registered */
  'unknown',
  /** the path or user name is not an SN */
  'path',
  /** not a valid WebSocket request, or not MQTT */
  'malformed',
  /** plain HTTP without the WebSocket headers, which proxies may remove */
  'noUpgrade',
  'disabled',
  'password',
  'insecure',
  /** no client certificate */
  'certificateMissing',
  /** expired or not yet valid */
  'certificateExpired',
  /** not issued by a trusted authority */
  'certificateAuthority',
  /** for another SN */
  'certificateName',
  /** not for TLS clients */
  'certificateUsage',
  /** not valid for any other reason */
  'certificate',
  /** the TLS handshake failed before the device identified itself */
  'tls',
  /** the device does not trust the certificate of the server */
  'tlsRejected',
  'subprotocol',
  /** the SN cannot be used as a level of an MQTT topic */
  'topic',
  'will',
  /** too many rejected attempts before this one */
  'throttled',
  /** too many open connections */
  'full',
] as const;
export type AttemptReason = (typeof ATTEMPT_REASONS)[number];

export const TOKEN_COOKIE = 'x-auth-token';
export const CSRF_COOKIE = 'x-csrf';
export const CSRF_HEADER = 'x-csrf';
/** Header with the key of a request that changes something: a repeated request with it is executed once (a UUID). */
export const IDEMPOTENCY_HEADER = 'idempotency-key';
/** Header with the console page that makes a request. */
export const PAGE_HEADER = 'x-page';
/**
 * Header with the user that the console is impersonating. The server rejects a call when the session's identity
 * differs.
 */
export const IMPERSONATION_HEADER = 'x-impersonation';
/** The maximum duration of an impersonation. */
export const IMPERSONATION_MINUTES = 30;
export const LOCALE_COOKIE = 'locale';

/** Reads a language tag list such as an Accept-Language header. Everything except Chinese maps to English (spec §1). */
export function localeOf(tags: string | undefined | null): Locale {
  return /^\s*zh\b/i.test(tags ?? '') ? 'zh-CN' : DEFAULT_LOCALE;
}

/** The lists with user-specific columns and density. */
export const LIST_NAMES = [
  'attachments',
  'devices',
  'customers',
  'sites',
  'users',
  'roles',
  'actionLogs',
  'loginLogs',
  'errors',
  'blacklistEntries',
  'mails',
  'onlineSessions',
  'shares',
  'documents',
  'issues',
  'applications',
] as const;
export type ListName = (typeof LIST_NAMES)[number];

/** The row densities of lists. */
export const DENSITIES = ['compact', 'comfortable'] as const;

/**
 * Maximum number of rows of one bulk change, and of devices in one batch. Matches the largest sites; nobody can oversee
 * more at once.
 */
export const BULK_LIMIT = 1_000;

/** Maximum number of rows that are selected by a filter at once. The console changes them in slices. */
export const SELECTION_LIMIT = 10_000;
/** Number of rows of one request when the console changes many: it shows the progress after each. */
export const BULK_SLICE = 100;

/** Operation types of the action log (spec §3), plus `control` for commands. */
export const OPERATIONS = ['new', 'edit', 'delete', 'disable', 'enable', 'control'] as const;

/**
 * Codes that end the session in the console (spec §4). Separate from the code registry, because the console does not
 * bundle its messages.
 */
export const SESSION_CODES: readonly number[] = [20001, 20002, 20003, 20004];

/** The code of `someDevicesBusy`. The console then offers to leave out the busy devices. */
export const SOME_DEVICES_BUSY_CODE = 10344;
/** The uploaded object no longer exists: the console uploads the file again. */
export const FILE_UNKNOWN_CODE = 10801;
/** A row of a bulk change that was not tried, because an earlier one failed unexpectedly: worth another attempt. */
export const NOT_TRIED_CODE = 10022;
