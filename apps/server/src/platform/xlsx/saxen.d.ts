/** The part of saxen that is used here. The package has no types. */
declare module 'saxen' {
  export class Parser {
    on(
      name: 'openTag',
      handler: (
        element: string,
        attributes: () => Record<string, string>,
        decode: (text: string) => string,
        selfClosing: boolean,
      ) => void,
    ): this;
    on(name: 'closeTag', handler: (element: string, decode: (text: string) => string) => void): this;
    on(name: 'text', handler: (text: string, decode: (text: string) => string) => void): this;
    on(name: 'cdata', handler: (text: string) => void): this;
    on(name: 'error' | 'warn', handler: (error: Error) => void): this;
    parse(xml: string): Error | undefined;
    stop(): void;
  }
}
