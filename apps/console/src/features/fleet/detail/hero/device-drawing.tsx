import type { DeviceScene, FlowEdge, Plug } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useConnectorName } from '../../../../shared/hooks/use-connector-name.ts';
import { Since } from '../../../../shared/ui/values/duration.tsx';
import css from './hero.module.css';

/** Connectors that a drawing has room for. */
const DRAWN = 4;

/** Power as people say it: 48 kW, 0.3 kW. */
export function powerText(powerW: number): string {
  return `${(Math.abs(powerW) / 1_000).toLocaleString('en-US', { maximumFractionDigits: 1 })} kW`;
}

/** A drawing of the device: a pile with its connectors, or the energy flow of a storage device. */
export function DeviceDrawing({ scene, protocol }: { scene: DeviceScene; protocol: string | null }) {
  return (
    <div className={css.drawing} data-live={scene.live} data-blank={scene.blank}>
      {scene.kind === 'storage' ? <Flow scene={scene} /> : <Pile plugs={scene.plugs} protocol={protocol} />}
    </div>
  );
}

function Pile({ plugs, protocol }: { plugs: readonly Plug[]; protocol: string | null }) {
  const { t } = useTranslation('hero');
  return (
    <>
      <svg className={css.pile} viewBox="0 0 64 132" aria-hidden="true">
        <rect x="6" y="4" width="52" height="120" rx="8" />
        <rect className={css.screen} x="15" y="14" width="34" height="22" rx="3" />
        <path d="M33 44l-8 14h7l-2 12 9-15h-7l1-11z" className={css.bolt} />
        <path d="M2 128h60" />
      </svg>
      <ul className={css.plugs}>
        {plugs.slice(0, DRAWN).map((plug) => (
          <PlugRow key={plug.connector} plug={plug} protocol={protocol} />
        ))}
        {plugs.length > DRAWN && <li className="quiet">{t('scene.more', { count: plugs.length - DRAWN })}</li>}
      </ul>
    </>
  );
}

function PlugRow({ plug, protocol }: { plug: Plug; protocol: string | null }) {
  const { t } = useTranslation('hero');
  const name = useConnectorName(protocol)(plug.connector);
  const since = plug.sessionSince ?? plug.since;
  const values = [
    plug.powerW === null ? null : powerText(plug.powerW),
    plug.soc === null ? null : `${Math.round(plug.soc)} %`,
  ].filter((value) => value !== null);
  return (
    <li className={css.plug} data-state={plug.state}>
      <svg viewBox="0 0 104 36" aria-hidden="true">
        <circle cx="8" cy="14" r="5" className={css.socket} />
        {plug.vehicle ? (
          <>
            <path d="M13 14c18 0 10 14 26 14 10 0 9-7 16-7" className={css.cable} />
            <path
              d="M56 25v-5c0-2 1-3 3-3l6-1 7-7c1-1 2-1 3-1h12c2 0 3 1 4 2l5 7 4 1c2 1 3 2 3 4v3h-6a5 5 0 0 0-10 0H72a5 5 0 0 0-10 0z"
              className={css.car}
            />
            <circle cx="67" cy="26" r="4" className={css.wheel} />
            <circle cx="92" cy="26" r="4" className={css.wheel} />
          </>
        ) : (
          <path d="M8 19v9" className={css.cable} />
        )}
      </svg>
      <span className={css.plugText}>
        <strong>{name}</strong> <span>{t(`scene.plug.${plug.state}`)}</span>
        <span className="quiet">
          {values.join(' · ')}
          {values.length > 0 && since !== null && ' · '}
          {since !== null && <Since at={since} />}
        </span>
      </span>
    </li>
  );
}

/** Where each element of the flow is drawn, around the device in the middle. */
const PLACES: Record<FlowEdge['of'], { x: number; y: number }> = {
  solar: { x: 160, y: 22 },
  grid: { x: 42, y: 70 },
  load: { x: 278, y: 70 },
  battery: { x: 160, y: 122 },
};
const CENTER = { x: 160, y: 70 };

function Flow({ scene: { flow, soc } }: { scene: DeviceScene }) {
  const { t } = useTranslation('hero');
  return (
    <svg className={css.flow} viewBox="0 0 320 146" role="img" aria-label={t('scene.flow')}>
      <defs>
        <marker id="flow-arrow" viewBox="0 0 8 8" refX="5" refY="4" markerWidth="5" markerHeight="5" orient="auto">
          <path d="M0 0l8 4-8 4z" />
        </marker>
      </defs>
      {flow.map((edge) => (
        <Edge key={edge.of} edge={edge} />
      ))}
      <circle cx={CENTER.x} cy={CENTER.y} r="9" className={css.hub} />
      {flow.map(({ of, powerW, direction }) => {
        const { x, y } = PLACES[of];
        return (
          <g key={of} className={css.node} data-direction={direction}>
            <rect x={x - 41} y={y - 19} width="82" height="38" rx="6" />
            <text x={x} y={y - 4} textAnchor="middle">
              {t(`scene.element.${of}`)}
              {of === 'battery' && soc !== null && ` ${Math.round(soc)} %`}
            </text>
            <text x={x} y={y + 12} textAnchor="middle" className={css.nodeValue}>
              {powerW === null ? '–' : powerText(powerW)}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

function Edge({ edge: { of, direction } }: { edge: FlowEdge }) {
  const place = PLACES[of];
  // From the edge of the box to the hub.
  const [dx, dy] = [Math.sign(CENTER.x - place.x), Math.sign(CENTER.y - place.y)];
  const outer = { x: place.x + dx * 43, y: place.y + dy * 21 };
  const inner = { x: CENTER.x - dx * 11, y: CENTER.y - dy * 11 };
  const [start, end] = direction === 'to' ? [inner, outer] : [outer, inner];
  return (
    <path
      className={css.edge}
      data-direction={direction}
      d={`M${start.x} ${start.y}L${end.x} ${end.y}`}
      markerEnd={direction === 'none' ? undefined : 'url(#flow-arrow)'}
    />
  );
}
