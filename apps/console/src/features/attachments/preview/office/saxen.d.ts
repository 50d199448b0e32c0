/** The part of saxen that is used here. The package has no types. */
declare module 'saxen' {
  import type { XmlParser } from '@chargehand/domain';

  export const Parser: new () => XmlParser;
}
