import { type ContentNode, formatSize, textOfContent } from '@chargehand/domain';
import { createElement, memo, type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Picture } from '../pictures/picture.tsx';
import { copyText } from '../values/copy-text.ts';
import css from './content.module.css';
import { each } from './each.ts';
import { fileUrl } from './file-url.ts';
import { Inline } from './inline.tsx';
import { useTicks } from './steps.ts';
import { Table } from './table.tsx';

/** Blocks of a document; `anchors` are the ids of its headings. */
export function Blocks(props: {
  nodes: readonly ContentNode[] | undefined;
  anchors?: ReadonlyMap<ContentNode, string>;
}): ReactNode {
  return each(props.nodes, (node, key) => <Block key={key} node={node} anchor={props.anchors?.get(node)} />);
}

function Block({ node, anchor }: { node: ContentNode; anchor: string | undefined }): ReactNode {
  const { attrs = {}, content } = node;
  switch (node.type) {
    case 'paragraph':
      return <p>{content ? <Inline nodes={content} /> : <br />}</p>;
    case 'heading':
      // The title of the page is the only heading of the first level.
      return createElement(`h${Number(attrs.level) + 1}`, { id: anchor, tabIndex: -1 }, <Inline nodes={content} />);
    case 'bulletList':
      return <ul>{items(content)}</ul>;
    case 'orderedList':
      return <ol start={attrs.start === undefined ? undefined : Number(attrs.start)}>{items(content)}</ol>;
    case 'taskList':
      return (
        <ul className={css.steps}>
          {each(content, (item, key) => (
            <Step key={key} item={item} />
          ))}
        </ul>
      );
    case 'codeBlock':
      return <Code text={textOfContent(node)} />;
    case 'blockquote':
      return (
        <blockquote>
          <Blocks nodes={content} />
        </blockquote>
      );
    case 'callout':
      return <Callout kind={attrs.kind as CalloutKind}>{content}</Callout>;
    case 'horizontalRule':
      return <hr />;
    case 'table':
      return <Table rows={content ?? []} cell={(cell) => <Blocks nodes={cell.content} />} />;
    case 'image':
      return <Image attrs={attrs} />;
    case 'video':
      return <Video file={attrs.file} name={attrs.name === undefined ? '' : String(attrs.name)} />;
    case 'attachment':
      return <Attachment file={attrs.file} name={String(attrs.name)} size={attrs.size} />;
    default:
      return null;
  }
}

function items(content: readonly ContentNode[] | undefined): ReactNode {
  return each(content, (item, key) => (
    <li key={key}>
      <Blocks nodes={item.content} />
    </li>
  ));
}

/** A step, which readers tick off during work. */
function Step({ item }: { item: ContentNode }) {
  const label = useId();
  const ticks = useTicks();
  const key = ticks?.keyOf(item);
  const done = key === undefined ? item.attrs?.checked === true : ticks!.done.has(key);
  return (
    <li data-done={done || undefined}>
      <input
        type="checkbox"
        checked={done}
        disabled={key === undefined}
        onChange={() => key !== undefined && ticks!.toggle(key)}
        aria-labelledby={label}
      />
      <div id={label}>
        <StepText item={item} />
      </div>
    </li>
  );
}

/** Not rendered again when another step is ticked off. */
const StepText = memo(function StepText({ item }: { item: ContentNode }) {
  return <Blocks nodes={item.content} />;
});

type CalloutKind = 'info' | 'success' | 'warning' | 'danger';

function Callout({ kind, children }: { kind: CalloutKind; children: readonly ContentNode[] | undefined }) {
  const { t } = useTranslation('content');
  return (
    <div className={css.callout} data-kind={kind} role="note">
      <strong className={css.calloutTitle}>{t(`callout.${kind}`)}</strong>
      <Blocks nodes={children} />
    </div>
  );
}

function Code({ text }: { text: string }) {
  const { t } = useTranslation('content');
  return (
    <div className={css.code}>
      {/* Wide code is scrolled with the keyboard, too. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable with the keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <button type="button" onClick={() => void copyText(text)}>
        {t('copyCode')}
      </button>
    </div>
  );
}

function Image({ attrs }: { attrs: Record<string, unknown> }) {
  const number = (value: unknown) => (value === undefined ? undefined : Number(value));
  const { t } = useTranslation('content');
  const url = fileUrl(attrs.file);
  const alt = String(attrs.alt ?? '');
  return (
    // The link needs a name also where the picture has none.
    <a
      className={css.image}
      href={url}
      target="_blank"
      rel="noreferrer"
      aria-label={alt === '' ? t('picture') : undefined}
    >
      <Picture src={url} alt={alt} width={number(attrs.width)} height={number(attrs.height)} loading="lazy" />
    </a>
  );
}

function Video({ file, name }: { file: unknown; name: string }) {
  const { t } = useTranslation('content');
  return (
    <div className={css.videoFrame} data-label={name === '' ? t('video') : t('videoNamed', { name })}>
      {/* biome-ignore lint/a11y/useMediaCaption: uploaded videos have no captions */}
      <video
        className={css.video}
        src={fileUrl(file)}
        controls
        preload="metadata"
        aria-label={name === '' ? t('video') : name}
      />
    </div>
  );
}

function Attachment({ file, name, size }: { file: unknown; name: string; size: unknown }) {
  return (
    <a className={css.attachment} href={fileUrl(file, true)} download={name}>
      <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" aria-hidden="true">
        <path d="M12.5 7.5 7.8 12.2a3 3 0 0 1-4.3-4.3l5.2-5.1a2 2 0 0 1 2.8 2.8L6.4 10.7a.9.9 0 0 1-1.3-1.3l4.2-4.2" />
      </svg>
      <span className="two-lines" title={name}>
        {name}
      </span>
      {typeof size === 'number' && <span className="quiet">{formatSize(size)}</span>}
    </a>
  );
}
