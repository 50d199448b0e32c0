import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { partLoader } from '../../hooks/late/part-loader.ts';
import { PlainButton } from './plain-button.tsx';
import { SkeletonRows } from './skeleton-rows.tsx';
import './states.css';

/**
 * A part of a page or dialog in a chunk of its own, which is loaded when the part is first shown. If that fails, the rest
 * stays: the error is shown in its place, with a button that tries again.
 * @param rows the height until it is loaded
 */
export function latePart<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  rows: number,
): ComponentType<P> {
  const usePart = partLoader(load);
  return (props) => {
    const { t } = useTranslation();
    const { Part, failed, retry } = usePart();
    if (Part) return <Part {...props} />;
    if (!failed) return <SkeletonRows rows={rows} />;
    return (
      <div className="state state-error" role="alert">
        <p>{t('error.chunkTitle')}</p>
        <PlainButton onClick={retry}>{t('error.retry')}</PlainButton>
      </div>
    );
  };
}
