import type { CategoryRow } from '@chargehand/contract';
import { Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { useCategoryName } from '../shared/names.ts';

/** The category to rename, or the one below which a new one is added; null: at the top. */
export type Edited = { category: CategoryRow } | { parent: CategoryRow | null };

/** Adds or renames a category. It has a name in each language. */
export function CategoryDialog({ edited, onClose }: { edited: Edited; onClose(): void }) {
  const { t } = useTranslation('documents');
  const { t: common } = useTranslation();
  const nameOf = useCategoryName();
  const category = 'category' in edited ? edited.category : null;
  const parent = 'parent' in edited ? edited.parent : null;
  const [nameEn, setNameEn] = useState(category?.nameEn ?? '');
  const [nameZh, setNameZh] = useState(category?.nameZh ?? '');
  const body = { nameEn: nameEn.trim(), nameZh: nameZh.trim() };
  const title = category
    ? t('category.renameTitle', { name: nameOf(category) })
    : parent
      ? t('category.addIn', { name: nameOf(parent) })
      : t('category.add');
  const field = (label: string, value: string, change: (text: string) => void) => (
    <Form.Item label={label} layout="vertical" htmlFor={`category-${label}`}>
      <Input
        id={`category-${label}`}
        value={value}
        maxLength={64}
        autoComplete="off"
        onChange={(event) => change(event.target.value)}
      />
    </Form.Item>
  );
  return (
    <Confirm
      title={title}
      ok={category ? common('save') : t('category.add')}
      entered={body}
      ready={body.nameEn !== '' && body.nameZh !== ''}
      run={() =>
        category
          ? call('updateCategory', { params: { id: category.id }, body }, { quiet: true })
          : call('createCategory', { body: { parentId: parent?.id ?? null, ...body } }, { quiet: true })
      }
      onDone={() => {
        toast.success(t('category.saved', { name: nameOf(body) }));
        onClose();
        void refresh('listCategories');
      }}
      onClose={onClose}
    >
      {field(t('category.nameEn'), nameEn, setNameEn)}
      {field(t('category.nameZh'), nameZh, setNameZh)}
    </Confirm>
  );
}
