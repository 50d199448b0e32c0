import { sameParameterKey } from '../operations/commands.ts';

/**
 * True for the parameter with the connection password: it is changed as the gateway password of the device, never as a
 * parameter.
 */
export function isConnectionPassword(key: string): boolean {
  return ['AuthorizationKey', 'SecurityCtrlr.BasicAuthPassword'].some((one) => sameParameterKey(one, key));
}

/** Words that mark a secret anywhere in a name. */
const SECRET_WORDS =
  /^(psk\d*|passwords?|passwd|pwd|passphrase|passcode|secrets?|tickets?|credentials?|apikey|privatekey|authkey)$/;
/**
 * Words that mark a secret at the end of a name: `WifiPass` and `SimPin`, but not `MasterPassGroupId` or `PinCount`.
 */
const SECRET_ENDS = /^(pass|pin|puk)$/;
/**
 * Words that make a `key` a secret, because it authenticates or encrypts. Other keys are public keys or names of
 * parameters.
 */
const SECRET_KEYS =
  /^(api|authorization|auth|private|secret|shared|preshared|access|encryption|encrypt|wpa\d*|wep|wifi|wlan)$/;
/** Words that make a `token` harmless: the card of a driver, or its reader. */
const KNOWN_TOKENS = /^(id|supported|central)$/;

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
  const plain = marked.map((key) => key.replace(/@[\d.]*\d|\([^)]*\)/g, ''));
  return { keys: new Set([...marked, ...plain]), words: [...new Set(plain.map(lastPart))] };
}

function lastPart(key: string): string {
  return key.split(/[.:/]/).at(-1) ?? key;
}

/**
 * True for a parameter whose value must not appear in a log or on a page, by its name. Devices do not report which of
 * their parameters are secret, so a model can mark others (`marked`). Names are split into words (`WifiPsk`,
 * `wifi_psk`, `WIFI-PSK`), so that `TokenReader` or `GetConfigurationMaxKeys` do not match.
 */
export function isSecretParameter(key: string, marked: SecretKeys | null = null): boolean {
  if (marked?.keys.has(key.toLowerCase())) return true;
  const words = wordsOf(key);
  const last = words.length - 1;
  return words.some((word, index) => {
    const before = words[index - 1] ?? '';
    if (SECRET_WORDS.test(word)) return true;
    if (/^keys?$/.test(word)) return SECRET_KEYS.test(before);
    if (index !== last) return false;
    return SECRET_ENDS.test(word) || (/^tokens?$/.test(word) && !KNOWN_TOKENS.test(before));
  });
}

/** The words of the last part of a name, in lower case: `NetworkCtrlr.WifiPsk` has `wifi` and `psk`. */
function wordsOf(key: string): string[] {
  const name = key.split(/[.:/]/).at(-1) ?? '';
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .flatMap((word) => joined(word.toLowerCase()));
}

/** Words without a separator, as in `WIFIPSK` or `authorizationkey`. */
function joined(word: string): string[] {
  const parts = /^(.+?)(psk|password|passwd|passphrase|secret|key)$/.exec(word);
  return parts?.[1] && parts[2] ? [parts[1], parts[2]] : [word];
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
  if (!/^\s*[{[]/.test(text) || !mayContainSecrets(text, marked)) return text;
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
