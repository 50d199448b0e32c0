import type { ReactNode } from 'react';
import { type Glyph, StatusGlyph } from './status-glyph.tsx';
import './tag.css';

/** The colors of states, as tokens of the theme. */
export type Tone = 'faulted' | 'offline' | 'working' | 'idle' | 'maintain' | 'firmware-update' | 'disabled' | 'plain';

/** A state as icon and text. The color only repeats them. */
export function Tag(props: { tone: Tone; glyph: Glyph; children: ReactNode; title?: string }) {
  return (
    <span className={`tag tag-${props.tone}`} title={props.title}>
      <StatusGlyph glyph={props.glyph} />
      <span>{props.children}</span>
    </span>
  );
}
