import type { ReactNode } from 'react';

/** The shapes of states. Each is recognizable without its color: by outline, fill, and symbol. */
const GLYPHS = {
  /** a filled triangle with an exclamation mark: needs attention */
  alert: (
    <>
      <path d="M7 1 13.4 12.6H.6z" fill="currentColor" stroke="none" />
      <path d="M7 5v3.6M7 10v1" stroke="var(--surface)" />
    </>
  ),
  /** a broken ring: no connection */
  broken: <path d="M3.2 3.2a5.4 5.4 0 0 0 0 7.6m7.6-7.6a5.4 5.4 0 0 1 0 7.6M2 12 12 2" />,
  /** a filled disc with a bolt: charging */
  bolt: (
    <>
      <circle cx="7" cy="7" r="6" fill="currentColor" stroke="none" />
      <path d="M7.9 2.8 4.6 7.6h2.2l-.7 3.6 3.3-4.8H7.2z" fill="var(--surface)" stroke="none" />
    </>
  ),
  /** an open ring: ready */
  ring: <circle cx="7" cy="7" r="5.2" />,
  /** a half-filled ring: starting or ending */
  half: (
    <>
      <circle cx="7" cy="7" r="5.2" />
      <path d="M7 1.8a5.2 5.2 0 0 1 0 10.4z" fill="currentColor" stroke="none" />
    </>
  ),
  /** two bars: interrupted */
  pause: (
    <>
      <circle cx="7" cy="7" r="5.2" />
      <path d="M5.5 4.8v4.4M8.5 4.8v4.4" />
    </>
  ),
  /** a diamond: maintenance */
  diamond: (
    <>
      <path d="M7 .9 13.1 7 7 13.1.9 7z" fill="currentColor" stroke="none" />
      <path d="M4.8 7h4.4" stroke="var(--surface)" />
    </>
  ),
  /** an arrow into a tray: firmware */
  download: <path d="M7 1.2v7.2M4 5.6l3 3 3-3M1.6 9.4v3h10.8v-3" />,
  /** a bar in a square: disabled */
  bar: (
    <>
      <rect x="1.6" y="1.6" width="10.8" height="10.8" rx="1.5" />
      <path d="M4.2 7h5.6" />
    </>
  ),
  /** a check in a disc: done */
  check: (
    <>
      <circle cx="7" cy="7" r="6" fill="currentColor" stroke="none" />
      <path d="m4.3 7.2 2 2 3.5-4.2" stroke="var(--surface)" />
    </>
  ),
  /** a cross in a square: rejected */
  cross: (
    <>
      <rect x="1" y="1" width="12" height="12" rx="2.5" fill="currentColor" stroke="none" />
      <path d="m4.8 4.8 4.4 4.4m0-4.4L4.8 9.2" stroke="var(--surface)" />
    </>
  ),
  /** a clock: waiting, or timed out */
  clock: (
    <>
      <circle cx="7" cy="7" r="5.4" />
      <path d="M7 4v3.2l2 1.4" />
    </>
  ),
  /** a flag: reserved */
  flag: <path d="M3 13V1.6h7.6L8.4 4.7l2.2 3.1H3" />,
} satisfies Record<string, ReactNode>;

export type Glyph = keyof typeof GLYPHS;

/** A 14 px icon in the color of its text. Always used with a text. */
export function StatusGlyph({ glyph }: { glyph: Glyph }) {
  return (
    <svg
      className="status-glyph"
      width="14"
      height="14"
      viewBox="0 0 14 14"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {GLYPHS[glyph]}
    </svg>
  );
}
