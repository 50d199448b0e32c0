import { sameParameterKey } from './commands.ts';

/** A parameter that opens the line itself: it is changed as the gateway password of the device, never as a parameter. */
export function isConnectionPassword(key: string): boolean {
  return ['AuthorizationKey', 'SecurityCtrlr.BasicAuthPassword'].some((one) => sameParameterKey(one, key));
}

const SECRET = /authorizationkey|passw(or)?d|passphrase|secret|private_?key/i;

/**
 * True for a parameter whose value nobody is to read in a log or on a screen, by its name: devices do not say which of
 * their parameters are secrets.
 */
export function isSecretParameter(key: string): boolean {
  return SECRET.test(key);
}

/** What stands in the place of a secret. */
const MASK = '***';

/**
 * A message of a device, or to it, without the values of secret parameters: `{ key, value }` of OCPP 1.6, and `{ variable:
 * { name }, attributeValue | variableAttribute: [{ value }] }` of 2.0.1. The same object when it holds none.
 */
export function withoutSecrets<T>(message: T): T {
  if (Array.isArray(message)) return changed(message, message.map(withoutSecrets)) as T;
  if (typeof message !== 'object' || message === null) return message;
  const record = message as Record<string, unknown>;
  const named = typeof record.key === 'string' ? record.key : nameOf(record.variable);
  const secret = named !== null && isSecretParameter(named);
  const parts = Object.entries(record).map(([name, part]): [string, unknown] => [
    name,
    secret && VALUES.has(name) ? masked(part) : withoutSecrets(part),
  ]);
  return parts.every(([name, part]) => part === record[name]) ? message : (Object.fromEntries(parts) as T);
}

/** Where values stand in such a record. */
const VALUES: ReadonlySet<string> = new Set(['value', 'attributeValue', 'variableAttribute']);

function masked(part: unknown): unknown {
  if (typeof part === 'string') return part === '' ? part : MASK;
  if (Array.isArray(part))
    return part.map((one) => ({ ...one, ...('value' in one ? { value: masked(one.value) } : {}) }));
  return part;
}

function nameOf(variable: unknown): string | null {
  const name = (variable as { name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' ? name : null;
}

function changed(before: readonly unknown[], after: unknown[]): readonly unknown[] {
  return after.every((part, index) => part === before[index]) ? before : after;
}
