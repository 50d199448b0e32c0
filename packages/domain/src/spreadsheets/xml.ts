/** What is used of an XML parser: saxen has this form. It expands no entities of a file. */
export interface XmlParser {
  on(
    name: 'openTag',
    handler: (
      element: string,
      attributes: () => Record<string, string>,
      decode: (text: string) => string,
      selfClosing: boolean,
    ) => void,
  ): unknown;
  on(name: 'closeTag', handler: (element: string) => void): unknown;
  on(name: 'text', handler: (text: string, decode: (text: string) => string) => void): unknown;
  on(name: 'cdata', handler: (text: string) => void): unknown;
  on(name: 'error', handler: (error: Error) => void): unknown;
  parse(xml: string): Error | undefined;
}

export interface XmlHandlers {
  open?(name: string, attributes: () => Record<string, string>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Walks through an XML text. Names are passed without their prefix. @throws Error when it is not well-formed */
export function walkXml(parser: XmlParser, xml: string, handlers: XmlHandlers): void {
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  parser.on('openTag', (name, attributes, decode, selfClosing) => {
    const read = () =>
      Object.fromEntries(Object.entries(attributes()).map(([key, value]) => [local(key), decode(value)]));
    handlers.open?.(local(name), read);
    if (selfClosing) handlers.close?.(local(name));
  });
  parser.on('closeTag', (name) => handlers.close?.(local(name)));
  parser.on('text', (text, decode) => handlers.text?.(decode(text)));
  parser.on('cdata', (text) => handlers.text?.(text));
  const fail = (error: Error) => {
    throw error;
  };
  parser.on('error', fail);
  const fault = parser.parse(xml);
  if (fault) fail(fault);
}

/** Characters that are read at a time. */
const PIECE = 256 * 1024;
/** An end tag with a prefix is not longer. */
const TAG = 64;

/**
 * Walks through a long XML text that arrives in pieces, without keeping it. It is cut behind elements of one name that
 * follow each other within others: rows within `sheetData`. Each part is walked with the start tag of the root, whose
 * handlers are therefore called several times. @throws Error when it is not well-formed
 */
export async function walkPieces(
  parser: () => XmlParser,
  pieces: AsyncIterable<string>,
  { element, within }: { element: string; within: readonly string[] },
  handlers: XmlHandlers,
): Promise<void> {
  let held: string[] = [];
  let length = 0;
  let root: { start: string; end: string } | null = null;
  const walk = (text: string, isLast: boolean) => {
    const start = root?.start ?? '';
    root ??= rootOf(text, within);
    walkXml(parser(), start + text + (isLast ? '' : root.end), handlers);
  };
  for await (const piece of pieces) {
    held.push(piece);
    length += piece.length;
    if (length < PIECE) continue;
    // The end tag may be in two pieces.
    const tail = (held.at(-2)?.slice(-TAG) ?? '') + piece;
    const cut = lastEnd(tail, element);
    if (cut === -1) continue;
    const text = held.join('');
    const at = length - tail.length + cut;
    walk(text.slice(0, at), false);
    held = [text.slice(at)];
    length -= at;
  }
  walk(held.join(''), true);
}

/** The place behind the last end tag of an element, with or without a prefix; -1 without one. */
function lastEnd(text: string, element: string): number {
  const ending = `${element}>`;
  for (let at = text.lastIndexOf(ending); at > 0; at = text.lastIndexOf(ending, at - 1)) {
    const before = text.slice(Math.max(0, at - TAG), at);
    const open = before.lastIndexOf('</');
    if (open !== -1 && PREFIX.test(before.slice(open + 2))) return at + ending.length;
  }
  return -1;
}

const PREFIX = /^(?:[\w.-]{1,50}:)?$/;
const FIRST_TAG = /<(?<prefix>[A-Za-z_][\w.-]{0,50}:)?(?<name>[A-Za-z_][\w.-]{0,50})(?=[\s>])/;

/** The start tags of the root and of the elements within which a text is cut, and their end tags. */
function rootOf(text: string, within: readonly string[]): { start: string; end: string } {
  const { prefix = '', name = '' } = FIRST_TAG.exec(text)?.groups ?? {};
  const names = [name, ...within].map((one) => prefix + one);
  return {
    start: names.map((one) => `<${one}>`).join(''),
    end: names
      .toReversed()
      .map((one) => `</${one}>`)
      .join(''),
  };
}
