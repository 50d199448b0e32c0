import type { DictionaryRow } from '@chargehand/contract';
import {
  DICTIONARY_MAX_POSITION,
  type Dictionary,
  dictionaryLengths,
  hasOrder,
  isChosenFrom,
  REGION_CODE_LENGTH,
} from '@chargehand/domain';
import { Checkbox, Input, InputNumber } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { Confirm } from '../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import css from './dictionaries.module.css';
import { ParentPicker } from './parent-picker.tsx';
import { refreshDictionaries } from './refresh-dictionaries.ts';

interface Props {
  dictionary: Dictionary;
  /** null: a new entry */
  row: DictionaryRow | null;
  onClose(): void;
}

/** Adds or changes an entry. Names apply everywhere at once. */
export function EntryDialog({ dictionary, row, onClose }: Props) {
  const { t } = useTranslation('dictionary');
  const { t: common } = useTranslation();
  const id = useId();
  const [code, setCode] = useState(row?.code ?? '');
  const [nameEn, setNameEn] = useState(row?.nameEn ?? '');
  const [nameZh, setNameZh] = useState(row?.nameZh ?? '');
  const [position, setPosition] = useState<number | null>(row?.position ?? null);
  const [enabled, setEnabled] = useState(row?.enabled ?? true);
  const [parents, setParents] = useState<string[]>([]);
  const chosen = isChosenFrom(dictionary);
  const lengths = dictionaryLengths(dictionary);
  const ordered = hasOrder(dictionary);
  const byDefault = row?.byDefault;
  const shipped = (text: string | undefined) =>
    text !== undefined && <p className="quiet">{t('shippedName', { name: text })}</p>;
  return (
    <Confirm
      title={row ? t('editTitle', { code: row.code }) : t('addTitle')}
      ok={row ? common('save') : t('add')}
      ready={code.trim() !== '' && nameEn.trim() !== '' && nameZh.trim() !== ''}
      entered={[code, nameEn, nameZh, position, enabled, ...parents]}
      run={async () => {
        const params = { dictionary };
        const order = ordered && position !== null ? { position } : {};
        if (row === null) {
          const parent = parents.at(-1);
          const body = { code: code.trim(), nameEn, nameZh, ...order, ...(parent !== undefined && { parent }) };
          await call('createDictionaryEntry', { params, body }, { quiet: true });
          return;
        }
        const body = { code, nameEn, nameZh, ...order, ...(chosen && { enabled }), change: row.change };
        await call('updateDictionaryEntry', { params, body }, { quiet: true });
      }}
      onDone={() => {
        toast.success(t('saved', { code: code.trim() }));
        onClose();
        void refreshDictionaries();
      }}
      onClose={onClose}
    >
      {row === null && dictionary === 'regions' && (
        <div className={css.field}>
          <label htmlFor={`${id}-parent`}>{t('parent')}</label>
          <ParentPicker id={`${id}-parent`} value={parents} onChange={setParents} />
          <p className="quiet">{t('parentHint')}</p>
        </div>
      )}
      {row === null && (
        <div className={css.field}>
          <label htmlFor={`${id}-code`}>{t('code')}</label>
          <Input
            id={`${id}-code`}
            value={code}
            maxLength={dictionary === 'regions' ? REGION_CODE_LENGTH.most : lengths.code}
            autoFocus
            autoComplete="off"
            onChange={(event) => setCode(event.target.value)}
          />
          <p className="quiet">{t(`codeHints.${dictionary}`)}</p>
        </div>
      )}
      <div className={css.field}>
        <label htmlFor={`${id}-en`}>{t('nameEn')}</label>
        <Input
          id={`${id}-en`}
          value={nameEn}
          maxLength={lengths.name}
          autoFocus={row !== null}
          autoComplete="off"
          onChange={(event) => setNameEn(event.target.value)}
        />
        {shipped(byDefault?.nameEn)}
      </div>
      <div className={css.field}>
        <label htmlFor={`${id}-zh`}>{t('nameZh')}</label>
        <Input
          id={`${id}-zh`}
          value={nameZh}
          maxLength={lengths.name}
          autoComplete="off"
          onChange={(event) => setNameZh(event.target.value)}
        />
        {shipped(byDefault?.nameZh)}
      </div>
      {ordered && (
        <div className={css.field}>
          <label htmlFor={`${id}-order`}>{t('order')}</label>
          <InputNumber<number>
            id={`${id}-order`}
            value={position}
            min={0}
            max={DICTIONARY_MAX_POSITION}
            precision={0}
            onChange={setPosition}
          />
          <p className="quiet">{t('orderHint')}</p>
        </div>
      )}
      {chosen && row !== null && (
        <Checkbox checked={enabled} onChange={(event) => setEnabled(event.target.checked)}>
          {t('enabled')}
        </Checkbox>
      )}
    </Confirm>
  );
}
