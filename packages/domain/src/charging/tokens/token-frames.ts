import { maskedToken } from './token.ts';

/** The fields of OCPP that contain the value of a token, as a text. */
const FIELDS = ['"idTag"', '"parentIdTag"', '"idToken"', '"additionalIdToken"', '"groupId"'];

/**
 * A protocol frame without the values of tokens, for users who may not read them. Frames may be cut or invalid, so this
 * reads characters, not JSON, in linear time: a text after the name of such a field is replaced.
 */
export function frameWithoutTokens(body: string): string {
  if (!body.includes('dTag"') && !body.includes('dToken"') && !body.includes('"groupId"')) return body;
  const parts: string[] = [];
  let copied = 0;
  let at = body.indexOf('"');
  while (at !== -1) {
    const end = endOfText(body, at);
    const name = body.slice(at, end);
    let next = end;
    if (name.length <= 20 && FIELDS.includes(name)) {
      const start = startOfValue(body, end);
      if (start !== -1) {
        const close = endOfText(body, start);
        const isClosed = body[close - 1] === '"' && close - 1 > start;
        const value = body.slice(start + 1, isClosed ? close - 1 : close);
        // A cut value keeps nothing: where it ends is not known.
        parts.push(body.slice(copied, start + 1), isClosed ? maskedToken(value) : maskedToken(value.slice(0, 1)));
        copied = isClosed ? close - 1 : close;
        next = close;
      }
    }
    at = body.indexOf('"', next);
  }
  return parts.length === 0 ? body : parts.join('') + body.slice(copied);
}

/** The place after the quote that ends the text which starts at `at`; the length of the body when none does. */
function endOfText(body: string, at: number): number {
  for (let index = at + 1; index < body.length; index += 1) {
    const sign = body[index];
    if (sign === '\\') index += 1;
    else if (sign === '"') return index + 1;
  }
  return body.length;
}

/** The opening quote of the text after a colon; -1 when something else follows. */
function startOfValue(body: string, from: number): number {
  let index = from;
  while (isSpace(body[index])) index += 1;
  if (body[index] !== ':') return -1;
  index += 1;
  while (isSpace(body[index])) index += 1;
  return body[index] === '"' ? index : -1;
}

function isSpace(sign: string | undefined): boolean {
  return sign === ' ' || sign === '\t' || sign === '\n' || sign === '\r';
}

/** A JSON value, such as the parameters of a command, with every text under the name of such a field replaced. */
export function valueWithoutTokens<T>(value: T, depth = 0): T {
  if (depth > 16 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => valueWithoutTokens(one, depth + 1)) as T;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      typeof inner === 'string' && FIELDS.includes(`"${key}"`)
        ? [key, maskedToken(inner)]
        : [key, valueWithoutTokens(inner, depth + 1)],
    ),
  ) as T;
}
