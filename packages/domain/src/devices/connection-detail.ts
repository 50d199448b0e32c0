/** A detail of a connection that the server stored, as the key of a text with its values. */
export interface ConnectionDetail {
  key: (typeof KEYS)[number];
  /** empty where the text has no such value */
  values: Record<Value, string>;
}

type Value = 'seconds' | 'code' | 'reason' | 'problem';

const KEYS = [
  'lost',
  'disconnected',
  'announced',
  'newer',
  'changed',
  'keepalive',
  'stopped',
  'disabled',
  'silent',
  'closed',
  'closedWith',
  'violated',
] as const;

/** The texts that the gateways store with the end of a connection, in English for logs and other systems. */
const TEXTS: readonly [pattern: RegExp, key: ConnectionDetail['key'], ...names: Value[]][] = [
  [/^the connection was lost$/, 'lost'],
  [/^the device disconnected$/, 'disconnected'],
  [/^the device announced that it disconnects$/, 'announced'],
  [/^the device opened a newer connection$/, 'newer'],
  [/^the device was disabled, removed or given another password$/, 'changed'],
  [/^no packet within one and a half keepalive intervals$/, 'keepalive'],
  [/^the server (?:stopped|is stopping)$/, 'stopped'],
  [/^the device is disabled$/, 'disabled'],
  [/^no message for ([\d.]+) (?:s|seconds)$/, 'silent', 'seconds'],
  [/^the device closed the connection \((\d+)\)$/, 'closed', 'code'],
  [/^the device closed the connection \((\d+) (.+)\)$/s, 'closedWith', 'code', 'reason'],
  [/^the device violated the WebSocket protocol: (.+)$/s, 'violated', 'problem'],
];

/** The stored detail as a text key, so that it can be shown in every language; null for other details. */
export function connectionDetail(detail: string): ConnectionDetail | null {
  for (const [pattern, key, ...names] of TEXTS) {
    const found = pattern.exec(detail);
    if (!found) continue;
    const values = { seconds: '', code: '', reason: '', problem: '' };
    names.forEach((name, index) => {
      values[name] = found[index + 1] ?? '';
    });
    return { key, values };
  }
  return null;
}
