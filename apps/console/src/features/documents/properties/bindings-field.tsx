import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { MAX_BINDINGS } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { AutoComplete, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { ModelPicker } from '../../../shared/ui/list-page/pickers.tsx';
import css from '../documents.module.css';
import { useDocumentRights } from '../shared/use-document-rights.ts';

/** A code or key, of one device model or of all. */
export interface Binding {
  key: string;
  deviceModelId: number | null;
}

interface Props {
  /** set by a surrounding form item */
  id?: string;
  value?: Binding[];
  onChange?(bindings: Binding[]): void;
  /** suggests alarm codes that no document explains yet */
  suggestsCodes: boolean;
}

/** What a document explains: one line for each code or key and device model. */
export function BindingsField({ id, value = [], onChange, suggestsCodes }: Props) {
  const { t } = useTranslation('documents');
  const { seesUnexplained } = useDocumentRights();
  const codes = useQuery({
    ...queryOf('listUnexplainedCodes', { query: { page: 1, pageSize: 50 } }, { quiet: true }),
    enabled: suggestsCodes && seesUnexplained,
  });
  const options = suggestsCodes ? codes.data?.items.map(({ code }) => ({ value: code })) : undefined;
  const change = (at: number, binding: Partial<Binding>) =>
    onChange?.(value.map((one, index) => (index === at ? { ...one, ...binding } : one)));
  return (
    <ul className={`stack ${css.bindings}`} id={id}>
      {value.map(({ key, deviceModelId }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity, and are only added at the end
        <li key={index}>
          <AutoComplete
            className="mono"
            value={key}
            options={options ?? []}
            showSearch={{
              filterOption: (text, option) => `${option?.value}`.toLowerCase().includes(text.toLowerCase()),
            }}
            maxLength={100}
            placeholder={t('bindings.key')}
            aria-label={t('bindings.keyOf', { number: index + 1 })}
            onChange={(text: string) => change(index, { key: text })}
          />
          <ModelPicker
            value={deviceModelId ?? undefined}
            placeholder={t('bindings.allModels')}
            onChange={(model) => change(index, { deviceModelId: model ?? null })}
          />
          <Button
            type="text"
            icon={<DeleteOutlined aria-hidden="true" />}
            aria-label={t('bindings.remove', { number: index + 1 })}
            onClick={() => onChange?.(value.filter((_, at) => at !== index))}
          />
        </li>
      ))}
      {value.length < MAX_BINDINGS && (
        <li>
          <Button
            icon={<PlusOutlined aria-hidden="true" />}
            onClick={() => onChange?.([...value, { key: '', deviceModelId: null }])}
          >
            {t('bindings.add')}
          </Button>
        </li>
      )}
    </ul>
  );
}
