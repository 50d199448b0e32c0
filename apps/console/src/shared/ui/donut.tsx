import type { ReactNode } from 'react';
import { Link } from 'react-router';
import './donut.css';

/** A segment of a donut chart. */
export interface DonutPart {
  key: string;
  /** its label, with its icon */
  label: ReactNode;
  count: number;
  /** the name of its color token */
  tone: string;
  /** the list of the counted rows; null for users who may not open it */
  to: string | null;
}

const SIZE = 112;
const STROKE = 17;
const RADIUS = (SIZE - STROKE) / 2;
const ROUND = 2 * Math.PI * RADIUS;
/** The gap between two segments. */
const GAP = 2;

/** A donut chart, with a table of the same figures and links to their lists. */
export function Donut({
  title,
  total,
  unit,
  parts,
}: {
  title: string;
  total: number;
  unit: string;
  parts: DonutPart[];
}) {
  let from = 0;
  const arcs = parts
    .filter(({ count }) => count > 0)
    .map(({ key, count, tone }) => {
      const length = (count / total) * ROUND;
      const arc = { key, tone, from, length };
      from += length;
      return arc;
    });
  return (
    <div className="donut">
      <svg width={SIZE} height={SIZE} viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden="true">
        <g transform={`rotate(-90 ${SIZE / 2} ${SIZE / 2})`} fill="none" strokeWidth={STROKE}>
          <circle cx={SIZE / 2} cy={SIZE / 2} r={RADIUS} stroke="var(--surface-sunken)" />
          {arcs.map((arc) => (
            <circle
              key={arc.key}
              cx={SIZE / 2}
              cy={SIZE / 2}
              r={RADIUS}
              stroke={`var(--${arc.tone})`}
              strokeDasharray={`${Math.max(1, arc.length - (arcs.length > 1 ? GAP : 0))} ${ROUND}`}
              strokeDashoffset={-arc.from}
            />
          ))}
        </g>
        <text className="donut-total" x="50%" y="50%" textAnchor="middle" dominantBaseline="central" dy="-5">
          {total.toLocaleString('en-US')}
        </text>
        <text className="donut-unit" x="50%" y="50%" textAnchor="middle" dominantBaseline="central" dy="14">
          {unit}
        </text>
      </svg>
      <table>
        <caption className="visually-hidden">{title}</caption>
        <tbody>
          {parts.map(({ key, label, count, to }) => (
            <tr key={key} data-none={count === 0}>
              <th scope="row">{label}</th>
              <td>{to === null || count === 0 ? count : <Link to={to}>{count.toLocaleString('en-US')}</Link>}</td>
              <td className="quiet">{total > 0 ? `${percentOf(count, total)}%` : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A rounded percentage, but never 0 for more than nothing and never 100 for less than all. */
function percentOf(count: number, total: number): number {
  const percent = Math.round((count / total) * 100);
  if (count > 0 && percent === 0) return 1;
  return count < total && percent === 100 ? 99 : percent;
}
