import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Cluster } from './clusters.ts';
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

/** The places on a map: a link each, and a button with their number where several would overlap. */
export function PlaceMarks({ clusters, window, ratio, pathOf, onCluster }: Props) {
  const { t } = useTranslation('places');
  const style = ({ x, y }: Cluster) => ({
    left: `${(0.5 + (x - window.x) / window.width) * 100}%`,
    top: `${(0.5 + (y - window.y) / (window.width * ratio)) * 100}%`,
  });
  return (
    <div className={css.mapMarks}>
      {clusters.map((cluster) => {
        const [first] = cluster.members;
        const label = cluster.members.length === 1 ? first!.place.name : '';
        if (label === '') {
          const names = cluster.members.slice(0, 10).map(({ place }) => place.name);
          const title = [...names, ...(cluster.members.length > names.length ? ['…'] : [])].join('\n');
          return (
            <button
              key={cluster.key}
              type="button"
              className={css.mapCluster}
              style={style(cluster)}
              title={title}
              aria-label={t('map.cluster', { count: cluster.members.length })}
              onClick={() => onCluster(cluster)}
            >
              {cluster.members.length}
            </button>
          );
        }
        const path = pathOf(first!.place.id);
        const pin = { className: css.mapPin, style: style(cluster), title: label };
        return path === null ? (
          <span key={cluster.key} {...pin} role="img" aria-label={label} />
        ) : (
          <Link key={cluster.key} {...pin} to={path} aria-label={label} />
        );
      })}
    </div>
  );
}
