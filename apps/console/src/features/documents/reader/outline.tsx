import type { headingsOf } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import css from './reader.module.css';

interface Props {
  headings: ReturnType<typeof headingsOf>;
  lang: string | null;
}

/** The table of contents: beside the text, and above it on a narrow screen. */
export function Outline({ headings, lang }: Props) {
  const { t } = useTranslation('documents');
  const { search } = useLocation();
  const narrow = useMedia('(max-width: 1000px)');
  const top = Math.min(...headings.map(({ level }) => level));
  const list = (
    <ol lang={lang ?? undefined}>
      {headings.map(({ text, anchor, level }) => (
        <li key={anchor} style={{ paddingInlineStart: (level - top) * 12 }}>
          <Link to={{ search, hash: encodeURIComponent(anchor) }}>{text}</Link>
        </li>
      ))}
    </ol>
  );
  if (narrow) {
    return (
      <details className={css.outline}>
        <summary>{t('reader.outline')}</summary>
        {list}
      </details>
    );
  }
  return (
    <nav className={css.outline} aria-label={t('reader.outline')}>
      <h2>{t('reader.outline')}</h2>
      {list}
    </nav>
  );
}
