import type { DocumentContent } from '@chargehand/domain';
import { memo, type ReactNode, useDeferredValue, useEffect, useMemo, useRef } from 'react';
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

/** Parts that are shown at once. They fill the first screens. */
const FIRST = 4;

/**
 * The content of a document for readers. Headings have the anchors of `headingsOf`; the one in the URL is scrolled into
 * view. The first screens are rendered at once, and the others in the background, so that a page of 200 screens is usable
 * immediately. Its page loads the words `content`.
 */
export function DocumentContentView({ content, lang, steps }: Props) {
  const all = useMemo(() => pageSections(content), [content]);
  const sections = useDeferredValue(all, all.slice(0, FIRST));
  const article = useRef<HTMLDivElement>(null);
  useAnchor(article, sections);
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
function useAnchor(article: React.RefObject<HTMLDivElement | null>, sections: readonly PageSection[]): void {
  const { hash, key } = useLocation();
  /** the navigation whose heading was shown: parts that arrive later do not move the page again */
  const shown = useRef<string>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same link is followed again, and sections arrive later
  useEffect(() => {
    if (hash === '' || shown.current === key) return;
    const anchor = decoded(hash.slice(1));
    const heading = article.current?.querySelector<HTMLElement>(`[id="${CSS.escape(anchor)}"]`);
    if (!heading) return;
    shown.current = key;
    heading.scrollIntoView();
    heading.focus({ preventScroll: true });
  }, [article, hash, key, sections]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
