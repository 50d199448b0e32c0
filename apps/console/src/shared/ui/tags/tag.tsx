import type { ReactNode } from 'react';
import { type Glyph, StatusGlyph } from './status-glyph.tsx';
import './tag.css';

/** The colours of states, by the tokens of the theme. */
export type Tone = 'faulted' | 'offline' | 'working' | 'idle' | 'maintain' | 'firmware-update' | 'disabled' | 'plain';

/** A state in a sign and a word; colour only repeats what both already say. */
export function Tag(props: { tone: Tone; glyph: Glyph; children: ReactNode; title?: string }) {
  return (
    <span className={`tag tag-${props.tone}`} title={props.title}>
      <StatusGlyph glyph={props.glyph} />
      <span>{props.children}</span>
    </span>
  );
}
