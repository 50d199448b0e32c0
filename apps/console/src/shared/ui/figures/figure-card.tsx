import type { ReactNode } from 'react';
import { Link } from 'react-router';
import css from './figures.module.css';
import { SPARK, type SparkScale, sparkPieces } from './spark-path.ts';

/** The values of a figure over time, oldest first; null: unknown, which is a gap in the line. */
interface FigureLine {
  values: readonly (number | null)[];
  scale: SparkScale;
  /** what the line shows, with its values, for those who do not see it */
  title: string;
}

export interface Figure {
  key: string;
  label: string;
  /** null: unknown, shown as a dash; never 0 for what was not measured */
  value: string | null;
  unit?: string | undefined;
  /** what belongs to the value, such as how many of the sessions failed */
  note?: ReactNode;
  /** something in it needs attention */
  urgent?: boolean;
  /** how the value is defined */
  hint?: string | undefined;
  /** the list of what is counted */
  to?: string | null;
  line?: FigureLine | undefined;
}

/** Figures side by side, two by two on a phone. Their height is fixed, so that nothing moves when they arrive. */
export function FigureRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={css.row} aria-label={label}>
      {children}
    </section>
  );
}

/** One figure with its unit, a note and a small line of its past. */
export function FigureCard({ figure }: { figure: Figure }) {
  const { label, value, unit, note, urgent = false, hint, to, line } = figure;
  const content = (
    <>
      <span className={css.label}>{label}</span>
      <span className={css.value}>
        {value ?? '–'}
        {value !== null && unit !== undefined && <small>{unit}</small>}
      </span>
      <span className={css.note} data-urgent={urgent}>
        {note}
      </span>
      {line && (line.values.length > 0 ? <Sparkline {...line} /> : <svg className={css.line} aria-hidden="true" />)}
    </>
  );
  const look = { className: css.card, title: hint };
  return to ? (
    <Link {...look} to={to}>
      {content}
    </Link>
  ) : (
    <div {...look}>{content}</div>
  );
}

/** The place of figures that are still loading. */
export function FigureSkeleton({ count = 4 }: { count?: number }) {
  return (
    <div className={css.row} aria-hidden="true">
      {Array.from({ length: count }, (_, index) => index).map((index) => (
        <div key={index} className={css.card} />
      ))}
    </div>
  );
}

function Sparkline({ values, scale, title }: FigureLine) {
  const { width, height } = SPARK;
  return (
    <svg className={css.line} viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img">
      <title>{title}</title>
      {sparkPieces(values, scale).map((points) =>
        points.includes(' ') ? (
          <polyline key={points} points={points} />
        ) : (
          <polyline key={points} points={`${points} ${points}`} />
        ),
      )}
    </svg>
  );
}
