import type { DocumentContent } from '@chargehand/domain';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Blocks } from '../../../shared/ui/content/blocks.tsx';
import content from '../../../shared/ui/content/content.module.css';
import { each } from '../../../shared/ui/content/each.ts';
import text from '../../../shared/ui/content/text.module.css';
import css from './diff.module.css';
import { type BlockChange, diffContents, type WordChange } from './diff.ts';

interface Props {
  before: DocumentContent;
  after: DocumentContent;
  lang: string;
  /** only one of the versions, with its differences marked; default: both */
  side?: 'before' | 'after';
}

/** Unchanged blocks that are shown around a change; more are folded. */
const AROUND = 2;

/** What differs between two versions of a content. */
export function DiffView({ before, after, lang, side }: Props) {
  const { t } = useTranslation('editor');
  const changes = useMemo(() => diffContents(before, after, lang), [before, after, lang]);
  if (changes.every(({ kind }) => kind === 'same')) return <p className="quiet">{t('diff.same')}</p>;
  const shown = changes.filter(
    ({ kind }) => kind !== (side === 'before' ? 'added' : side === 'after' ? 'removed' : ''),
  );
  return (
    <div className={`${text.text} ${content.content} ${css.diff}`} lang={lang}>
      {each(shown, (change, key) => (
        <Change key={key} change={change} side={side} />
      ))}
    </div>
  );
}

function Change({ change, side }: { change: BlockChange; side: Props['side'] }) {
  const { t } = useTranslation('editor');
  if (change.kind === 'changed') return <Words words={change.words} side={side} />;
  if (change.kind !== 'same') {
    return (
      <div className={css[change.kind]}>
        <span className="visually-hidden">{t(`diff.${change.kind}`)}</span>
        <Blocks nodes={change.blocks} />
      </div>
    );
  }
  const { blocks } = change;
  if (blocks.length <= AROUND * 2 + 1) return <Blocks nodes={blocks} />;
  return (
    <>
      <Blocks nodes={blocks.slice(0, AROUND)} />
      <details className={css.folded}>
        <summary>{t('diff.folded', { count: blocks.length - AROUND * 2 })}</summary>
        <Blocks nodes={blocks.slice(AROUND, -AROUND)} />
      </details>
      <Blocks nodes={blocks.slice(-AROUND)} />
    </>
  );
}

function Words({ words, side }: { words: readonly WordChange[]; side: Props['side'] }) {
  const shown = words.filter(
    ({ kind }) => !(side === 'before' && kind === 'added') && !(side === 'after' && kind === 'removed'),
  );
  return (
    <p className={css.changed}>
      {each(shown, ({ kind, text }, key) =>
        kind === 'same' ? (
          <span key={key}>{text}</span>
        ) : kind === 'added' ? (
          <ins key={key}>{text}</ins>
        ) : (
          <del key={key}>{text}</del>
        ),
      )}
    </p>
  );
}
