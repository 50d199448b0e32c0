import type { ModelItem } from '@chargehand/contract';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { LevelSelect } from '../../level-select.tsx';
import css from '../../models.module.css';

interface Props {
  count: number;
  onSet(change: Partial<ModelItem>): void;
  onRemove(): void;
  /** resets to the inherited values, if there are any */
  onInherit: (() => void) | undefined;
}

/** Bulk actions for items. */
export function BulkBar({ count, onSet, onRemove, onInherit }: Props) {
  const { t } = useTranslation('models');
  return (
    <fieldset className={css.modelsBulk}>
      <legend>{t('bulk.chosen', { count })}</legend>
      <span className="field-row">
        {t('readLevel')}
        <LevelSelect
          label={t('bulk.readLevel')}
          value={undefined}
          placeholder={t('bulk.as')}
          onChange={(readLevel) => onSet({ readLevel })}
        />
      </span>
      <span className="field-row">
        {t('writeLevel')}
        <LevelSelect
          label={t('bulk.writeLevel')}
          value={undefined}
          placeholder={t('bulk.as')}
          onChange={(writeLevel) => onSet({ writeLevel })}
        />
      </span>
      <span className="field-row">
        {t('batch')}
        <Button size="small" aria-label={t('bulk.batchOn')} onClick={() => onSet({ batch: true })}>
          {t('yes')}
        </Button>
        <Button size="small" aria-label={t('bulk.batchOff')} onClick={() => onSet({ batch: false })}>
          {t('no')}
        </Button>
      </span>
      {onInherit && (
        <Button size="small" onClick={onInherit}>
          {t('bulk.inherit')}
        </Button>
      )}
      <Button size="small" danger onClick={onRemove}>
        {t('bulk.remove')}
      </Button>
    </fieldset>
  );
}
