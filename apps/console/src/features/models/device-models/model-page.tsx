import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ModelDetail } from './model-detail.tsx';
import { ModelList } from './model-list.tsx';
import '../../../shared/ui/page/page.css';
import css from '../models.module.css';

/** Device models: the list next to the open model; on a phone only one of them. */
export default function ModelPage() {
  const { t } = useTranslation('models');
  const { id } = useParams();
  const narrow = useMedia('(max-width: 900px)');
  const open = id !== undefined && /^\d{1,10}$/.test(id) ? Number(id) : null;
  return (
    <div className={css.modelsSplit}>
      {(!narrow || open === null) && <ModelList open={open} />}
      {open !== null ? (
        <ModelDetail key={open} id={open} back={narrow} />
      ) : (
        !narrow && <EmptyState text={t('model.choose')} />
      )}
    </div>
  );
}
