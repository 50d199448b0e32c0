import { Fragment } from 'react';
import css from '../map.module.css';

/** A part of an attribution. */
export interface Credit {
  text: string;
  /** null: not a link */
  href: string | null;
}

/** The attribution of a map. */
export function MapCredits({ credits }: { credits: readonly (readonly Credit[])[] }) {
  if (credits.length === 0) return null;
  return (
    <p className={css.mapAttribution}>
      {credits.map((parts, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: attributions have no identity and are only added
        <Fragment key={index}>
          {index > 0 && ' | '}
          {parts.map(({ text, href }) =>
            href === null ? (
              text
            ) : (
              <a key={href} href={href} target="_blank" rel="noreferrer">
                {text}
              </a>
            ),
          )}
        </Fragment>
      ))}
    </p>
  );
}

/** The texts and links of an attribution in HTML, as sources of MapLibre styles have it. Everything else is left out. */
export function creditsOf(html: string): Credit[] {
  // A parsed document runs no scripts and loads nothing.
  return partsOf(new DOMParser().parseFromString(html, 'text/html').body);
}

function partsOf(parent: Node): Credit[] {
  return [...parent.childNodes].flatMap((node) => {
    const text = node.textContent ?? '';
    if (node instanceof Element && node.tagName === 'A') {
      const href = node.getAttribute('href') ?? '';
      return [{ text, href: /^https?:\/\//.test(href) ? href : null }];
    }
    return node.hasChildNodes() ? partsOf(node) : [{ text, href: null }];
  });
}
