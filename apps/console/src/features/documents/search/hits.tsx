import type { DocumentHit } from '@chargehand/contract';
import { Link } from 'react-router';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import css from '../documents.module.css';
import { LanguageTag } from '../shared/language-tag.tsx';
import { documentPath } from '../shared/paths.ts';
import { Marked } from './marked.tsx';

/** What a search found. Each hit opens its heading, in the language in which it was found. */
export function Hits({ hits }: { hits: readonly DocumentHit[] }) {
  const own = useLocale();
  return (
    <ol className={css.hits}>
      {hits.map(({ documentId, locale, title, heading, anchor, excerpt, marks }) => (
        <li key={`${documentId} ${locale}`} lang={locale}>
          <Link to={documentPath(documentId, { anchor, ...(locale !== own && { locale }) })}>
            {title}
            {heading !== null && <span className={css.hitHeading}>{heading}</span>}
          </Link>{' '}
          <LanguageTag of={locale} />
          <p>
            <Marked text={excerpt} marks={marks} />
          </p>
        </li>
      ))}
    </ol>
  );
}
