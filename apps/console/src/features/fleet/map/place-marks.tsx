import { worstSiteState } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { SITE_STATE_LOOKS } from '../../../shared/ui/tags/site-state-tag.tsx';
import { StatusGlyph } from '../../../shared/ui/tags/status-glyph.tsx';
import type { Cluster, Place } from './clusters.ts';
import css from './map.module.css';
import type { MapWindow } from './plane.ts';

interface Props {
  clusters: readonly Cluster[];
  window: MapWindow;
  ratio: number;
  /** the path of a place; null: it cannot be opened */
  pathOf(id: number): string | null;
  /** called to show the places of a cluster one by one */
  onCluster(cluster: Cluster): void;
}

/** The maximum number of places that the title of a cluster lists. */
const LISTED = 10;

/**
 * The places on a map: a link each, and a button with their number where several would overlap. The color and the shape
 * of a mark show the state, of several places the worst one.
 */
export function PlaceMarks({ clusters, window, ratio, pathOf, onCluster }: Props) {
  const { t } = useTranslation('places');
  const { t: common } = useTranslation();
  const label = ({ name, state }: Place) => t('map.site', { name, state: common(`siteState.${state}`) });
  const style = ({ x, y }: Cluster) => ({
    left: `${(0.5 + (x - window.x) / window.width) * 100}%`,
    top: `${(0.5 + (y - window.y) / (window.width * ratio)) * 100}%`,
  });
  return (
    <div className={css.mapMarks}>
      {clusters.map((cluster) => {
        const [first, ...others] = cluster.members.map(({ place }) => place);
        const worst = worstSiteState(cluster.members.map(({ place }) => place.state));
        if (!first || !worst) return null;
        const { tone, glyph } = SITE_STATE_LOOKS[worst];
        if (others.length > 0) {
          const names = [first, ...others].slice(0, LISTED).map(label);
          const title = [...names, ...(cluster.members.length > LISTED ? ['…'] : [])].join('\n');
          const [count, state] = [cluster.members.length, common(`siteState.${worst}`)];
          return (
            <button
              key={cluster.key}
              type="button"
              className={`${css.mapCluster} tag-${tone}`}
              style={style(cluster)}
              title={title}
              aria-label={t('map.cluster', { count, state })}
              onClick={() => onCluster(cluster)}
            >
              <StatusGlyph glyph={glyph} />
              {count}
            </button>
          );
        }
        const path = pathOf(first.id);
        const pin = { className: `${css.mapPin} tag-${tone}`, style: style(cluster), title: label(first) };
        return path === null ? (
          <span key={cluster.key} {...pin} role="img" aria-label={label(first)}>
            <StatusGlyph glyph={glyph} />
          </span>
        ) : (
          <Link key={cluster.key} {...pin} to={path} aria-label={label(first)}>
            <StatusGlyph glyph={glyph} />
          </Link>
        );
      })}
    </div>
  );
}
