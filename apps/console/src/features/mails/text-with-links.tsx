import { Fragment } from 'react';
import { partsOf } from './links.ts';

/** A plain text with clickable URLs, which open in a new tab. */
export function TextWithLinks({ text }: { text: string }) {
  let at = 0;
  return (
    <pre className="mail-text">
      {partsOf(text).map((part) => {
        const key = at;
        at += part.text.length;
        return part.link ? (
          <a key={key} href={part.text} target="_blank" rel="noreferrer">
            {part.text}
          </a>
        ) : (
          <Fragment key={key}>{part.text}</Fragment>
        );
      })}
    </pre>
  );
}
