import { Fragment } from 'react';

/** Behind a comma, a dot, a slash or an underscore, and before a word that only its capital sets off. */
const PLACES = /(?<=[,./_])(?=\S)|(?<=[a-z0-9])(?=[A-Z])/;

/** A text without blanks, as devices write keys and lists, which may go on in the next line between its words. */
export function Breakable({ text }: { text: string }) {
  return text.split(PLACES).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
