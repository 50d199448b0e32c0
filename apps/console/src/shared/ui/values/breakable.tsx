import { Fragment } from 'react';

/** After a comma, a dot, a slash or an underscore, and before a capital that starts a word. */
const PLACES = /(?<=[,./_])(?=\S)|(?<=[a-z0-9])(?=[A-Z])/;

/** A text without blanks, such as keys and lists of devices, that may wrap between its words. */
export function Breakable({ text }: { text: string }) {
  return text.split(PLACES).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other key
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
