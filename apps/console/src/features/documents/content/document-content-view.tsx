import type { DocumentContent } from '@chargehand/domain';
import { memo, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { Blocks } from './blocks.tsx';
import css from './content.module.css';
import { each } from './each.ts';
import { type PageSection, pageSections } from './sections.ts';
import { TicksProvider, useStoredTicks } from './steps.ts';
import text from './text.module.css';

interface Props {
  content: DocumentContent;
  /** the language of the text */
  lang?: string;
  /** a name for the reader's ticks, such as the ID and language of the document; without it steps cannot be ticked off */
  steps?: string;
}

/**
 * The content of a document for readers. Headings have the anchors of `headingsOf`; the one in the URL is scrolled into
 * view. Its page loads the words `content`.
 */
export function DocumentContentView({ content, lang, steps }: Props) {
  const sections = useMemo(() => pageSections(content), [content]);
  const article = useRef<HTMLDivElement>(null);
  useAnchor(article, content);
  const body = (
    <div className={`${text.text} ${css.content}`} lang={lang} ref={article}>
      {each(sections, (section, key) => (
        <Section key={key} section={section} />
      ))}
    </div>
  );
  return steps === undefined ? (
    body
  ) : (
    <WithTicks content={content} name={steps}>
      {body}
    </WithTicks>
  );
}

const Section = memo(function Section({ section }: { section: PageSection }) {
  return (
    <div className={css.section}>
      <Blocks nodes={section.blocks} anchors={section.anchors} />
    </div>
  );
});

function WithTicks({ content, name, children }: { content: DocumentContent; name: string; children: ReactNode }) {
  const { t } = useTranslation('content');
  const ticks = useStoredTicks(content, name);
  return (
    <TicksProvider value={ticks}>
      {ticks.count > 0 && (
        <p className={css.progress} role="status">
          <progress value={ticks.done.size} max={ticks.count} aria-label={t('steps.label')} />
          <span>{t('steps.done', { done: ticks.done.size, total: ticks.count })}</span>
          {ticks.done.size > 0 && (
            <button type="button" className="text-button" onClick={ticks.reset}>
              {t('steps.reset')}
            </button>
          )}
        </p>
      )}
      {children}
    </TicksProvider>
  );
}

/** Scrolls to the heading in the URL, now and when the URL changes. */
function useAnchor(article: React.RefObject<HTMLDivElement | null>, content: DocumentContent): void {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link is followed again, and content arrives later
  useEffect(() => {
    if (hash === '') return;
    const anchor = decoded(hash.slice(1));
    const heading = article.current?.querySelector<HTMLElement>(`[id="${CSS.escape(anchor)}"]`);
    heading?.scrollIntoView();
    heading?.focus({ preventScroll: true });
  }, [article, hash, key, content]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
