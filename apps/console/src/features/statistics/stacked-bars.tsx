import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { useMedia } from '../../shared/hooks/use-media.ts';
import css from './statistics.module.css';

/** A bar: its label, and its segments from the bottom up. */
export interface Bar {
  at: string;
  label: string;
  title: string;
  parts: readonly number[];
  /** the unknown part, drawn as a gap */
  unknown?: number;
}

interface Props {
  bars: readonly Bar[];
  /** the segments in order: label, and color in the style sheet */
  keys: readonly { key: string; name: ReactNode }[];
  /** the maximum of the axis */
  top: number;
  format(value: number): string;
  /** the accessible name of the chart */
  label: string;
  unknownName?: ReactNode;
  /** values in the legend while no bar is selected */
  overall: { title: string; values: readonly string[]; unknown?: string };
  /** the description of the selected bar */
  describe(bar: Bar): string;
}

const WIDTH = 10;
const HEIGHT = 100;

/**
 * A stacked bar chart over time. The pointer or the arrow keys select a bar; a table below contains the same figures.
 */
export function StackedBars(props: Props) {
  const { bars, keys, top, format, overall } = props;
  const [index, setIndex] = useState<number | null>(null);
  const hatch = useId();
  const read = index === null ? undefined : bars[index];
  const narrow = useMedia('(max-width: 760px)');
  const every = Math.ceil(bars.length / (narrow ? 5 : 12));

  function walk(event: KeyboardEvent) {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -1e9, End: 1e9 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setIndex(Math.min(bars.length - 1, Math.max(0, (index ?? bars.length) + step)));
  }

  return (
    <figure className="bars">
      <figcaption aria-live="polite">
        {keys.map(({ key, name }, part) => (
          <span key={key} className={`${css.barsKey} bars-key-${key}`}>
            {name}
            <strong>{read ? format(read.parts[part] ?? 0) : overall.values[part]}</strong>
          </span>
        ))}
        {props.unknownName !== undefined && (
          <span className={`${css.barsKey} bars-key-unknown`}>
            {props.unknownName}
            <strong>{read ? format(read.unknown ?? 0) : overall.unknown}</strong>
          </span>
        )}
        <span className={css.barsTime}>{read?.title ?? overall.title}</span>
      </figcaption>
      <div className={css.barsBody}>
        <div className={css.barsAxis} aria-hidden="true">
          <span>{format(top)}</span>
          <span>{format(top / 2)}</span>
          <span>{format(0)}</span>
        </div>
        <div
          className={css.barsPlot}
          role="slider"
          tabIndex={0}
          aria-label={props.label}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, bars.length - 1)}
          aria-valuenow={index ?? Math.max(0, bars.length - 1)}
          aria-valuetext={read ? props.describe(read) : overall.title}
          onKeyDown={walk}
          onPointerMove={(event) => {
            const area = event.currentTarget.getBoundingClientRect();
            const at = Math.floor(((event.clientX - area.left) / area.width) * bars.length);
            setIndex(Math.min(bars.length - 1, Math.max(0, at)));
          }}
          onPointerLeave={() => setIndex(null)}
          onBlur={() => setIndex(null)}
        >
          <svg viewBox={`0 0 ${bars.length * WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            <defs>
              <pattern id={hatch} width="3" height="3" patternUnits="userSpaceOnUse">
                <path className={css.barsHatch} d="M0 3 3 0" />
              </pattern>
            </defs>
            <path className={css.barsLine} d={`M0 ${HEIGHT / 2}H${bars.length * WIDTH}`} />
            {bars.map((bar, n) => (
              <Column
                key={bar.at}
                x={n * WIDTH}
                bar={bar}
                keys={keys}
                top={top}
                hatch={`url(#${hatch})`}
                read={n === index}
              />
            ))}
          </svg>
        </div>
        <div className={css.barsLabels} aria-hidden="true">
          {bars.map(({ at, label }, n) => (
            <span key={at}>{(bars.length - 1 - n) % every === 0 ? label : ''}</span>
          ))}
        </div>
      </div>
    </figure>
  );
}

function Column(props: { x: number; bar: Bar; keys: Props['keys']; top: number; hatch: string; read: boolean }) {
  const { x, bar, keys, top, hatch, read } = props;
  let y = HEIGHT;
  const pieces = bar.parts.map((value, part) => {
    const height = (value / top) * HEIGHT;
    y -= height;
    const { key } = keys[part]!;
    return height > 0 ? (
      <rect key={key} className={`bars-part-${key}`} x={x + 1} y={y} width={WIDTH - 2} height={height} />
    ) : null;
  });
  const unknown = ((bar.unknown ?? 0) / top) * HEIGHT;
  return (
    <g>
      {read && <rect className={css.barsRead} x={x} y={0} width={WIDTH} height={HEIGHT} />}
      {pieces}
      {unknown > 0 && (
        <rect className={css.barsUnknown} x={x + 1} y={y - unknown} width={WIDTH - 2} height={unknown} fill={hatch} />
      )}
    </g>
  );
}
