/** The time in a signature may differ from the clock of the server by this much. Seconds. */
export const SIGNATURE_WINDOW_SECONDS = 300;

/** How long a token that was exchanged for a signature is valid. Seconds. */
export const TOKEN_SECONDS = 900;

/** How long the previous secret stays valid after a rotation, unless it is removed earlier. Days. */
export const ROTATION_DAYS = 7;

/** Requests per minute: the lowest and highest limit of an application, and the default. */
export const RATE_LIMIT = { min: 1, max: 6_000, default: 600 } as const;

/** The only algorithm of signatures (RFC 9421 §3.3.3). */
export const SIGNATURE_ALGORITHM = 'hmac-sha256';

/** The parts of a request that a signature must cover (RFC 9421 §2). A body is covered by its digest (RFC 9530). */
export const SIGNED_COMPONENTS = ['@method', '@path', '@query'] as const;
export const DIGEST_COMPONENT = 'content-digest';

/** A nonce: unique for each request of an application within the window of its time. */
const NONCE = /^[\w.~+/=-]{16,64}$/;

/** Whether an application can be used, and why not. */
export type ApplicationState = 'enabled' | 'disabled' | 'expired' | 'userMissing';

/** What decides about the state of an application. */
export interface ApplicationFacts {
  enabled: boolean;
  expiresAt: Date | null;
  /** null when the user was deleted */
  userId: number | null;
}

/** The state of an application at a time. Disabling comes first, because an administrator chose it. */
export function applicationState({ enabled, expiresAt, userId }: ApplicationFacts, now: Date): ApplicationState {
  if (!enabled) return 'disabled';
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  return userId === null ? 'userMissing' : 'enabled';
}

/** The parameters of a signature as a client sent them (RFC 9421 §2.3). */
export interface SignatureParams {
  /** covered components in lower case, without parameters */
  components: readonly string[];
  /** seconds since 1970 */
  created: number | null;
  nonce: string | null;
  alg: string | null;
}

/** What is wrong with a signature, before its value is compared. */
export type SignatureFault = 'signatureIncomplete' | 'signatureNonce' | 'signatureTime';

/** Checks the parameters of a signature; null if its value can be compared. */
export function signatureFault(params: SignatureParams, hasBody: boolean, now: Date): SignatureFault | null {
  const required = hasBody ? [...SIGNED_COMPONENTS, DIGEST_COMPONENT] : SIGNED_COMPONENTS;
  const covered = new Set(params.components);
  if (required.some((component) => !covered.has(component))) return 'signatureIncomplete';
  if (params.alg !== null && params.alg !== SIGNATURE_ALGORITHM) return 'signatureIncomplete';
  if (params.created === null) return 'signatureIncomplete';
  if (params.nonce === null || !NONCE.test(params.nonce)) return 'signatureNonce';
  const difference = Math.abs(now.getTime() / 1_000 - params.created);
  // Also refuses NaN.
  return difference <= SIGNATURE_WINDOW_SECONDS ? null : 'signatureTime';
}

/** The interfaces that an application may call: never more than its user, and only those that were chosen. */
export function mayCall(endpointId: string, allowed: readonly string[], userReaches: boolean): boolean {
  return userReaches && allowed.includes(endpointId);
}

/** The operations of the open API by area, in the order in which they are chosen. */
export const OPEN_OPERATION_GROUPS = {
  places: ['listCustomers', 'listSites', 'listDevices', 'readDevice'],
  values: ['readReadings', 'readChart', 'listAlarms', 'listIncidents'],
  commands: ['sendCommand', 'readCommand'],
  issues: ['listIssues', 'readIssue', 'createIssue'],
  files: ['listFiles', 'readFileAddress'],
  events: ['streamEvents'],
} as const;
export type OpenOperationGroup = keyof typeof OPEN_OPERATION_GROUPS;
export type OpenOperationName = (typeof OPEN_OPERATION_GROUPS)[OpenOperationGroup][number];

/** The object that an operation names in its path; the others name none. */
export const OPEN_OPERATION_OBJECTS: Partial<Record<OpenOperationName, 'device' | 'issue' | 'attachment'>> = {
  ...{ readDevice: 'device', readReadings: 'device', readChart: 'device' },
  ...{ sendCommand: 'device', readCommand: 'device', createIssue: 'device' },
  ...{ readIssue: 'issue', readFileAddress: 'attachment' },
};
