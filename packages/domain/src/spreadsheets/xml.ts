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
