import { sameParameterKey } from '../operations/commands.ts';
import { exceededJsonLimit, jsonLimitSentence } from './json-limits.ts';
import { endOfRun, isDigit, isLetter, isSpace, Rewriter } from './scan/scan.ts';

const DOT = 0x2e;
const isCapital = (code: number) => code >= 0x41 && code <= 0x5a;
const isSmall = (code: number) => code >= 0x61 && code <= 0x7a;

/**
 * True for the parameter with the connection password: it is changed as the gateway password of the device, never as a
 * parameter.
 */
export function isConnectionPassword(key: string): boolean {
  return ['AuthorizationKey', 'SecurityCtrlr.BasicAuthPassword'].some((one) => sameParameterKey(one, key));
}

/** Words that mark a secret anywhere in a name. */
const SECRET_WORDS = words(
  'psk password passwords passwd pwd passphrase passcode secret secrets ticket tickets credential credentials',
  'apikey privatekey authkey',
);
/**
 * Words that mark a secret at the end of a name: `WifiPass` and `SimPin`, but not `MasterPassGroupId` or `PinCount`.
 */
const SECRET_ENDS = words('pass pin puk');
const KEYS = words('key keys');
/**
 * Words that make a `key` a secret, because it authenticates or encrypts. Other keys are public keys or names of
 * parameters.
 */
const SECRET_KEYS = words(
  'api authorization auth private secret shared preshared access encryption encrypt wpa wep wifi wlan',
);
const TOKENS = words('token tokens');
/** Words that make a `token` harmless: the card of a driver, or its reader. */
const KNOWN_TOKENS = words('id supported central');
/** Component, instances and variable of OCPP 2.0.1 have at most 50 characters each; names of Sparkplug are paths. */
const LONGEST_NAME = 512;
/** Words that end another one without a separator, as in `WIFIPSK` or `authorizationkey`. */
const JOINED = ['psk', 'password', 'passwd', 'passphrase', 'secret', 'key'];

function words(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

/** The parameters that the model of a device marks as secret. */
export interface SecretKeys {
  /** in lower case, each also without its EVSE and instances, as in messages of OCPP 2.0.1 */
  keys: ReadonlySet<string>;
  /**
   * words of which a text must contain one to mention a secret parameter: the last parts of their names, in lower case
   */
  words: readonly string[];
}

/** Null when no parameter is marked, which is the usual case. */
export function secretKeys(parameters: readonly { key: string; secret?: boolean | undefined }[]): SecretKeys | null {
  const marked = parameters.filter(({ secret }) => secret).map(({ key }) => key.toLowerCase());
  if (marked.length === 0) return null;
  const plain = marked.map(withoutInstances);
  return { keys: new Set([...marked, ...plain]), words: [...new Set(plain.map(lastPart))] };
}

/** `Door(main)@1.2.Lever` without its instances and EVSE: `Door.Lever`. */
function withoutInstances(key: string): string {
  const out = new Rewriter(key);
  const last = key.lastIndexOf(')');
  for (let at = 0; at < key.length; at += 1) {
    const end = key[at] === '(' && at < last ? key.indexOf(')', at) + 1 : key[at] === '@' ? endOfEvse(key, at) : at;
    if (end === at) continue;
    out.replace(at, end, '');
    at = end - 1;
  }
  return out.text();
}

/** After the last digit: `@1.2` is followed by a dot of the name. */
function endOfEvse(key: string, at: number): number {
  let end = endOfRun(key, at + 1, (code) => isDigit(code) || code === DOT);
  while (key.charCodeAt(end - 1) === DOT) end -= 1;
  return end === at + 1 ? at : end;
}

function lastPart(key: string): string {
  return key.slice(Math.max(key.lastIndexOf('.'), key.lastIndexOf(':'), key.lastIndexOf('/')) + 1);
}

/**
 * True for a parameter whose value must not appear in a log or on a page, by its name. Devices do not report which of
 * their parameters are secret, so a model can mark others (`marked`). Names are split into words (`WifiPsk`,
 * `wifi_psk`, `WIFI-PSK`), so that `TokenReader` or `GetConfigurationMaxKeys` do not match. The value of a name that is
 * longer than those of all parameters is not shown either.
 */
export function isSecretParameter(key: string, marked: SecretKeys | null = null): boolean {
  if (key.length > LONGEST_NAME || marked?.keys.has(key.toLowerCase())) return true;
  const found = wordsOf(key);
  const last = found.length - 1;
  return found.some((word, index) => {
    const before = found[index - 1] ?? '';
    if (SECRET_WORDS.has(word) || (word.startsWith('psk') && withoutDigits(word) === 'psk')) return true;
    if (KEYS.has(word)) return SECRET_KEYS.has(before.startsWith('wpa') ? withoutDigits(before) : before);
    if (index !== last) return false;
    return SECRET_ENDS.has(word) || (TOKENS.has(word) && !KNOWN_TOKENS.has(before));
  });
}

/** `wpa2` without the digits at its end. */
function withoutDigits(word: string): string {
  let end = word.length;
  while (end > 0 && isDigit(word.charCodeAt(end - 1))) end -= 1;
  return word.slice(0, end);
}

/**
 * The words of the last part of a name, in lower case: `NetworkCtrlr.WifiPsk` has `wifi` and `psk`. A word starts after
 * a separator, at a capital after a small letter or digit, and at the last of several capitals before a small letter.
 * A device chooses its names, so they are read once, whatever their length.
 */
function wordsOf(key: string): string[] {
  const name = lastPart(key);
  const found: string[] = [];
  let start = 0;
  const end = (at: number) => {
    if (at > start) found.push(...joined(name.slice(start, at).toLowerCase()));
    start = at;
  };
  for (let at = 0; at < name.length; at += 1) {
    const code = name.charCodeAt(at);
    if (!isLetter(code) && !isDigit(code)) {
      end(at);
      start = at + 1;
    } else if (isCapital(code) && at > start) {
      const before = name.charCodeAt(at - 1);
      if (!isCapital(before) || isSmall(name.charCodeAt(at + 1))) end(at);
    }
  }
  end(name.length);
  return found;
}

/** Words without a separator, as in `WIFIPSK` or `authorizationkey`. */
function joined(word: string): string[] {
  const part = JOINED.find((one) => word.length > one.length && word.endsWith(one));
  return part === undefined ? [word] : [word.slice(0, -part.length), part];
}

/** True when a text may contain a secret. A cheap check, because most texts do not. */
export function mayContainSecrets(text: string, marked: SecretKeys | null = null): boolean {
  if (containsMarked(text, marked)) return true;
  return /psk|passw|passphrase|passcode|pwd|secret|ticket|credential|(?<!id_?)token(?!info|reader)|pass"|pin"|puk"|key/i.test(
    text,
  );
}

/** True when a text contains the name of a parameter that is marked as secret. */
export function containsMarked(text: string, marked: SecretKeys | null): boolean {
  if (!marked) return false;
  const small = text.toLowerCase();
  return marked.words.some((word) => small.includes(word));
}

/** The text that replaces a secret. */
export const MASK = '***';

/**
 * A message from or to a device without the values of secret parameters: `{ key, value }` of OCPP 1.6, `{ variable: {
 * name }, attributeValue | variableAttribute: [{ value }] }` of 2.0.1, `{ name, value }` of Sparkplug, fields with such
 * a name (`apnPassword` of SetNetworkProfile), and the same in JSON inside a text. Returns the same object when it
 * contains no secret.
 */
export function withoutSecrets<T>(message: T, marked: SecretKeys | null = null): T {
  if (Array.isArray(message)) {
    return changed(
      message,
      message.map((part) => withoutSecrets(part, marked)),
    ) as T;
  }
  if (typeof message === 'string') return withoutNested(message, marked) as T;
  if (typeof message !== 'object' || message === null) return message;
  const record = message as Record<string, unknown>;
  const names = namesOf(record);
  const secret = names.some((name) => isSecretParameter(name, marked));
  const parts = Object.entries(record).map(([name, part]): [string, unknown] => [
    name,
    secret && VALUES.has(name) ? masked(part) : fieldOf(record, name, part, marked),
  ]);
  return parts.every(([name, part]) => part === record[name]) ? message : (Object.fromEntries(parts) as T);
}

/** The properties of such a record that contain values. */
const VALUES: ReadonlySet<string> = new Set([
  'value',
  'attributeValue',
  'variableAttribute',
  'stringValue',
  'string_value',
  'intValue',
  'longValue',
  'floatValue',
  'doubleValue',
  'booleanValue',
]);

/** A field with a secret name. The `key` of a VPN (VPNType of OCPP 2.0.1) is a secret only there. */
function fieldOf(record: Record<string, unknown>, name: string, part: unknown, marked: SecretKeys | null): unknown {
  const isKey = name === 'key' && 'server' in record && 'user' in record;
  if (typeof part === 'string' && (isKey || isSecretParameter(name))) return masked(part);
  if (marked?.keys.has(name.toLowerCase()) && typeof part !== 'object') return masked(part);
  return withoutSecrets(part, marked);
}

function masked(part: unknown): unknown {
  if (typeof part === 'string') return part === '' ? part : MASK;
  if (typeof part === 'number' || typeof part === 'boolean') return MASK;
  if (Array.isArray(part))
    return part.map((one) => ({ ...one, ...('value' in one ? { value: masked(one.value) } : {}) }));
  return part;
}

/** The parameter names of a record: the plain name and, in OCPP 2.0.1, the name with its component. */
function namesOf({ key, name, variable, component, ...rest }: Record<string, unknown>): string[] {
  if (typeof key === 'string') return [key];
  const inner = textName(variable);
  const whole = textName(component);
  if (inner !== null) return whole === null ? [inner] : [inner, `${whole}.${inner}`];
  if (typeof name !== 'string' || !Object.keys(rest).some((field) => VALUES.has(field))) return [];
  return [name, lastPart(name)];
}

function textName(named: unknown): string | null {
  const name = (named as { name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' ? name : null;
}

/** JSON inside a text, as in DataTransfer. */
function withoutNested(text: string, marked: SecretKeys | null): string {
  const first = text.charAt(endOfRun(text, 0, isSpace));
  if ((first !== '{' && first !== '[') || !mayContainSecrets(text, marked)) return text;
  const exceeded = exceededJsonLimit(text);
  if (exceeded !== null) return `(not kept, as it may hold a secret: ${jsonLimitSentence(exceeded)})`;
  try {
    const inner: unknown = JSON.parse(text);
    const clean = withoutSecrets(inner, marked);
    return clean === inner ? text : JSON.stringify(clean);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function changed(before: readonly unknown[], after: unknown[]): readonly unknown[] {
  return after.every((part, index) => part === before[index]) ? before : after;
}
