import { setImmediate } from 'node:timers/promises';
import { escapeHtml } from '../../../escape-html.ts';
import type { S3Problem } from '../problem.ts';

/** How many rows are written at once: less than a millisecond of work, even with long keys. */
const ROWS = 10;
/** How long rows are written before other requests run. Milliseconds. */
const SLICE_MS = 5;

/** A response of the S3 protocol, in parts. Lists are written in slices, because a page can have megabytes. */
export async function* xml(root: string, content: object): AsyncGenerator<Buffer> {
  yield Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">`,
  );
  let begun = performance.now();
  for (const [name, value] of Object.entries(content)) {
    const rows = Array.isArray(value) ? value : [value];
    for (let at = 0; at < rows.length; at += ROWS) {
      yield Buffer.from(elements({ [name]: rows.slice(at, at + ROWS) }));
      if (performance.now() - begun < SLICE_MS) continue;
      await setImmediate();
      begun = performance.now();
    }
  }
  yield Buffer.from(`</${root}>`);
}

/** An error of the S3 protocol, which has no namespace. */
export function xmlError(problem: S3Problem, resource: string, requestId: string): string {
  const error = {
    Code: problem.code,
    Message: problem.message,
    Resource: resource,
    RequestId: requestId,
  };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${elements({ Error: error })}`;
}

/** An element for each property. A list repeats its element; the names of attributes begin with @. */
function elements(content: object): string {
  return Object.entries(content)
    .filter(([name, value]) => !name.startsWith('@') && value !== undefined)
    .flatMap(([name, value]) => [value].flat().map((one: unknown) => element(name, one)))
    .join('');
}

function element(name: string, value: unknown): string {
  if (typeof value !== 'object' || value === null) return `<${name}>${escapeHtml(String(value ?? ''))}</${name}>`;
  const attributes = Object.entries(value)
    .filter(([key]) => key.startsWith('@'))
    .map(([key, text]) => ` ${key.slice(1)}="${escapeHtml(String(text))}"`);
  return `<${name}${attributes.join('')}>${elements(value)}</${name}>`;
}
