import type { DocumentRow } from '@chargehand/contract';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Emblem } from '../../../shared/ui/pictures/stored-picture.tsx';
import css from '../documents.module.css';
import { LanguageTag } from './language-tag.tsx';
import { titleOf } from './names.ts';

interface Props {
  documents: readonly DocumentRow[];
  to(document: DocumentRow): string;
  /** at the end of each line */
  aside?(document: DocumentRow): ReactNode;
}

/** Documents as a list of links with their short answers. */
export function DocumentLinks({ documents, to, aside }: Props) {
  return (
    <ul className={css.links}>
      {documents.map((document) => (
        <li key={document.id}>
          {document.icon !== null && <Emblem of={document.icon} name={titleOf(document)} size={28} />}
          <span className={css.linkText}>
            <span className={css.linkTitle}>
              <Link to={to(document)}>{titleOf(document)}</Link> <LanguageTag of={document.locale} />
            </span>
            {document.description && <span className={css.summary}>{document.description}</span>}
          </span>
          {aside && <span className={css.linkAside}>{aside(document)}</span>}
        </li>
      ))}
    </ul>
  );
}
