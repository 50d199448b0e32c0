import type { SavedText, SaveResult } from '@chargehand/contract';
import type { DocumentContent } from '@chargehand/domain';
import { formatTime } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Radio } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { each } from '../../../shared/ui/content/each.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import css from './conflict.module.css';
import { type Choice, chosenContent, decidedField, regionsOf } from './conflict.ts';
import { contentOfLines } from './diff.ts';
import { DiffView } from './diff-view.tsx';

export type Conflict = Extract<SaveResult, { state: 'conflict' }>;

interface Props {
  documentId: number;
  locale: 'en-US' | 'zh-CN';
  mine: SavedText;
  theirs: Conflict;
  /** Publishes or shows the combined text. @throws ApiProblem */
  save(text: SavedText): Promise<unknown>;
  onDone(): void;
  onClose(): void;
}
interface ChoicesProps extends Props {
  /** what both texts have in common: undefined until it is read, null without one */
  base: BaseText | null | undefined;
  words: { title: string; text: string; ok: string; mine: string; theirs: string };
}

/** Both texts where two authors changed the same parts: the author chooses one or both for each part. */
export function ConflictDialog(props: Props) {
  const { t } = useTranslation('editor');
  const { documentId, locale, mine, theirs } = props;
  const base = useQuery({
    ...queryOf(
      'readVersion',
      { params: { id: documentId, locale, version: Math.max(1, mine.baseVersion) } },
      { quiet: true },
    ),
    enabled: mine.baseVersion > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  // Without the common version every difference is a choice.
  const known = mine.baseVersion === 0 || base.isError ? null : base.data;
  const words = {
    title: t('conflict.title'),
    text: t('conflict.text', { name: theirs.updatedBy, at: formatTime(theirs.updatedAt).slice(0, 16) }),
    ok: t('conflict.publish'),
    mine: t('conflict.mine'),
    theirs: t('conflict.theirs', { name: theirs.updatedBy }),
  };
  return <Choices key={theirs.version} {...props} base={known} words={words} />;
}

/** Both texts where one author changed the same parts in two windows. */
export function WindowsDialog(props: {
  documentId: number;
  locale: Props['locale'];
  conflict: { base: BaseText | null; mine: SavedText; theirs: SavedText & { savedAt: string } };
  onCombined(text: SavedText): void;
  onClose(): void;
}) {
  const { t } = useTranslation('editor');
  const { base, mine, theirs } = props.conflict;
  const words = {
    title: t('otherWindow.title'),
    text: t('otherWindow.text', { at: formatTime(theirs.savedAt).slice(11, 16) }),
    ok: t('otherWindow.ok'),
    mine: t('otherWindow.mine'),
    theirs: t('otherWindow.theirs'),
  };
  // The combined text contains what both started from.
  const version = Math.max(mine.baseVersion, theirs.baseVersion);
  return (
    <Choices
      {...props}
      base={base}
      mine={mine}
      theirs={{ ...theirs, version }}
      words={words}
      save={async (text) => props.onCombined(text)}
      onDone={() => undefined}
    />
  );
}

type TheirText = BaseText & { version: number };

function Choices({
  base,
  mine,
  theirs,
  locale,
  words,
  ...props
}: Omit<ChoicesProps, 'theirs'> & { theirs: TheirText }) {
  const { t } = useTranslation('editor');
  const parts = useMemo(() => base !== undefined && partsOf(base, mine, theirs), [base, mine, theirs]);
  const [choices, setChoices] = useState<Record<string, Choice>>({});
  const open = parts ? parts.filter(({ decided }) => !decided) : [];
  const ready = parts !== false && open.every(({ key }) => choices[key] !== undefined);
  function chosen(): SavedText {
    const field = (name: 'title' | 'description') =>
      decidedField(base?.[name] ?? null, mine[name], theirs[name]) ??
      (choices[name] === 'theirs' ? theirs[name] : mine[name]);
    const regions = regionsOf(base?.body ?? null, mine.body, theirs.body);
    const picked = open.filter(({ key }) => key.startsWith('body')).map(({ key }) => choices[key]!);
    return {
      ...{ title: field('title'), description: field('description') },
      ...{ body: chosenContent(regions, picked), baseVersion: theirs.version },
    };
  }
  return (
    <Confirm
      title={words.title}
      ok={words.ok}
      width={1_000}
      ready={ready}
      run={() => props.save(chosen())}
      onDone={props.onDone}
      onClose={props.onClose}
    >
      <p>{words.text}</p>
      {parts === false && <SkeletonRows rows={4} />}
      {each(open, (part, index) => (
        <section key={part.key} className={css.part} aria-label={t('conflict.part', { number: index + 1 })}>
          <Radio.Group
            value={choices[part.key]}
            onChange={({ target }) => setChoices((now) => ({ ...now, [part.key]: target.value as Choice }))}
            options={[
              { value: 'mine', label: words.mine },
              { value: 'theirs', label: words.theirs },
              ...(part.key.startsWith('body') ? [{ value: 'both', label: t('conflict.both') }] : []),
            ]}
          />
          <div className={css.sides}>
            <Side title={words.mine}>
              <DiffView before={part.theirs} after={part.mine} side="after" lang={locale} />
            </Side>
            <Side title={words.theirs}>
              <DiffView before={part.theirs} after={part.mine} side="before" lang={locale} />
            </Side>
          </div>
        </section>
      ))}
    </Confirm>
  );
}

function Side({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className={css.side}>
      <strong>{title}</strong>
      {children}
    </div>
  );
}

interface BaseText {
  title: string;
  description: string;
  body: DocumentContent;
}

/** A part of the texts that both may have changed. */
interface Part {
  key: string;
  mine: DocumentContent;
  theirs: DocumentContent;
  decided: boolean;
}

function partsOf(base: BaseText | null, mine: SavedText, theirs: TheirText): Part[] {
  const fields = (['title', 'description'] as const).map((name) => ({
    ...{ key: name, mine: contentOfLines(mine[name]), theirs: contentOfLines(theirs[name]) },
    decided: decidedField(base?.[name] ?? null, mine[name], theirs[name]) !== null,
  }));
  const blocks = regionsOf(base?.body ?? null, mine.body, theirs.body).flatMap((region, index): Part[] =>
    'mine' in region
      ? [
          {
            ...{ key: `body${index}`, decided: false },
            ...{ mine: { type: 'doc', content: region.mine }, theirs: { type: 'doc', content: region.theirs } },
          },
        ]
      : [],
  );
  return [...fields, ...blocks];
}
