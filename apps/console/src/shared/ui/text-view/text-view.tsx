import { formatSize } from '@chargehand/domain';
import { Button, Checkbox, Input } from 'antd';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { findLines, splitMatches } from '../../lib/files/find-lines.ts';
import css from './text-view.module.css';

/** The maximum number of found lines that are rendered. */
const MOST_FOUND = 500;
/** The browser renders only the visible blocks (`content-visibility`), so a long text stays fast. */
const BLOCK_LINES = 200;

export interface TextViewProps {
  name: string;
  /** what is loaded of it */
  text: string;
  /** how much is loaded; null: everything. Bytes */
  loaded: { part: number; size: number } | null;
  /** what is said in place of it when nothing more can be loaded */
  cut?: string | undefined;
  more: { run(): void; loading: boolean; error: Error | null };
  /** further buttons */
  tools?: ReactNode;
}

/** A text of which parts are loaded, with search and line wrap. */
export default function TextView({ name, text, loaded, cut, more, tools }: TextViewProps) {
  const { t } = useTranslation('files');
  const [search, setSearch] = useState('');
  const [wraps, setWraps] = useState(true);
  const wanted = useDeferredValue(search.trim());
  const blocks = useMemo(() => blocksOf(text), [text]);
  return (
    <div className="stack">
      <div className="field-row">
        <Input.Search
          className={css.search}
          allowClear
          value={search}
          placeholder={t('text.search')}
          aria-label={t('text.search')}
          onChange={(event) => setSearch(event.target.value)}
        />
        <Checkbox checked={wraps} onChange={(event) => setWraps(event.target.checked)}>
          {t('text.wrap')}
        </Checkbox>
        {tools}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable with the keyboard */}
      <section className={css.text} data-wraps={wraps} tabIndex={0} aria-label={name}>
        {wanted === '' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only appended
          blocks.map((block, place) => <pre key={place}>{block}</pre>)
        ) : (
          <Found text={text} search={wanted} complete={loaded === null} />
        )}
      </section>
      {loaded && (
        <div className="field-row">
          <span className="quiet">
            {cut ?? t('text.loaded', { part: formatSize(loaded.part), size: formatSize(loaded.size) })}
          </span>
          {cut === undefined && (
            <Button loading={more.loading} onClick={more.run}>
              {t('text.more')}
            </Button>
          )}
          {more.error && <span className="error-note">{more.error.message}</span>}
        </div>
      )}
    </div>
  );
}

/** The text in blocks of lines. */
function blocksOf(text: string): string[] {
  const lines = text.split('\n');
  const blocks: string[] = [];
  for (let at = 0; at < lines.length; at += BLOCK_LINES) blocks.push(lines.slice(at, at + BLOCK_LINES).join('\n'));
  return blocks;
}

/** The lines that contain the search text, with their numbers. */
function Found({ text, search, complete }: { text: string; search: string; complete: boolean }) {
  const { t } = useTranslation('files');
  const { lines, total } = useMemo(() => findLines(text, search, MOST_FOUND), [text, search]);
  return (
    <>
      <p className="quiet" role="status">
        {t('text.found', { count: total })}
        {total > lines.length && ` · ${t('text.foundFirst', { count: lines.length })}`}
        {!complete && ` · ${t('text.foundLoaded')}`}
      </p>
      <pre>
        {lines.map(({ number, text: line }) => (
          <span key={number} className={css.line}>
            <span className={css.number}>{number}</span>
            {splitMatches(line, search).map((piece, place) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a line have no other key
              place % 2 === 1 ? <mark key={place}>{piece}</mark> : piece,
            )}
            {'\n'}
          </span>
        ))}
      </pre>
    </>
  );
}
