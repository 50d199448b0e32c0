import type { DocumentDetail, Locale } from '@chargehand/contract';
import { LOCALES } from '@chargehand/contract/constants';
import { DOCUMENT_TYPES, type DocumentType, type Level, levelSuffices } from '@chargehand/domain';
import { Form, Input, Select, Switch } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLevelOptions } from '../../../shared/i18n/use-level-name.ts';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { FormPanel } from '../../../shared/ui/form-page/form-panel.tsx';
import { CustomerPicker } from '../../../shared/ui/list-page/pickers.tsx';
import { PictureField } from '../../../shared/ui/pictures/picture-field.tsx';
import { CategorySelect } from '../categories/category-select.tsx';
import { TYPES, useTypeName } from '../shared/names.ts';
import { useDocumentRights } from '../shared/use-document-rights.ts';
import { type Binding, BindingsField } from './bindings-field.tsx';

interface Values {
  /** the owner; null or undefined: the platform */
  customerId: number | null | undefined;
  locale: Locale;
  title: string;
  description: string;
  name: string;
  /** `none`: a free document */
  type: DocumentType | 'none';
  categoryId: number;
  readLevel: Level;
  writeLevel: Level;
  bindings: Binding[];
  icon: string | null;
  enabled: boolean;
}

/** The properties of a document in the form of the contract, and the first text of a new one. */
export interface DocumentFields extends Omit<Values, 'customerId' | 'type' | 'locale' | 'title' | 'description'> {
  customerId: number | null;
  type: DocumentType | null;
  text: Pick<Values, 'locale' | 'title' | 'description'> | undefined;
}

interface Props {
  document?: DocumentDetail;
  /** what a new document explains, and where it belongs */
  given?: { type: DocumentType | null; categoryId: number | undefined; bindings: Binding[] };
  /** Saves the fields and returns the path to open afterwards. @throws ApiProblem */
  onSave(fields: DocumentFields): Promise<string>;
}

/** Default levels: everyone reads, and those who may add documents change them. */
const READ: Level = 5;
const WRITE: Level = 4;

/** The form of a document's properties. A new document also gets its title and its short answer. */
export function DocumentForm({ document, given, onSave }: Props) {
  const { t } = useTranslation('documents');
  const own = useLocale();
  const typeName = useTypeName();
  const levelOptions = useLevelOptions();
  const { levels, owner, choosesOwner } = useDocumentRights();
  const [form] = Form.useForm<Values>();
  const [uploading, setUploading] = useState(false);
  const type = Form.useWatch('type', form);
  const required = (label: string) => ({ required: true, message: t('form.required', { label }) });
  const isNew = document === undefined;
  return (
    <FormPanel<Values>
      form={form}
      label={t(isNew ? 'add' : 'editProperties')}
      initialValues={{
        ...{ locale: own, title: '', description: '' },
        customerId: document ? document.customerId : owner,
        name: document?.name ?? given?.bindings[0]?.key ?? '',
        type: document?.type ?? given?.type ?? 'none',
        categoryId: document?.categoryId ?? given?.categoryId,
        readLevel: document?.readLevel ?? READ,
        writeLevel: document?.writeLevel ?? WRITE,
        bindings: document?.bindings.map(({ key, deviceModelId }) => ({ key, deviceModelId })) ?? given?.bindings ?? [],
        icon: document?.icon ?? null,
        enabled: document?.enabled ?? true,
      }}
      onSave={({ locale, title, description, type: entered, bindings, ...values }) =>
        onSave({
          ...values,
          customerId: choosesOwner ? (values.customerId ?? null) : document ? document.customerId : owner,
          name: values.name.trim(),
          type: entered === 'none' ? null : entered,
          bindings: entered === 'none' ? [] : bindings.filter(({ key }) => key.trim() !== ''),
          text: isNew ? { locale, title: title.trim(), description: description.trim() } : undefined,
        })
      }
      {...(isNew && { saves: t('add') })}
      disabled={uploading}
    >
      {isNew && (
        <>
          <Form.Item
            name="title"
            label={t('title')}
            rules={[{ ...required(t('title')), whitespace: true }]}
            extra={t('form.titleHint')}
          >
            <Input maxLength={200} autoComplete="off" autoFocus />
          </Form.Item>
          <Form.Item name="locale" label={t('form.locale')} extra={t('form.localeHint')}>
            <Select options={LOCALES.map((value) => ({ value, label: t(`language.${value}`) }))} />
          </Form.Item>
          <Form.Item
            name="description"
            label={t('form.description')}
            extra={t('form.descriptionHint')}
            className="form-wide"
          >
            <Input.TextArea maxLength={1_000} autoSize={{ minRows: 2, maxRows: 8 }} />
          </Form.Item>
        </>
      )}
      <Form.Item
        name="name"
        label={t('name')}
        extra={t('form.nameHint')}
        rules={[{ ...required(t('name')), whitespace: true }]}
      >
        <Input maxLength={100} autoComplete="off" />
      </Form.Item>
      {choosesOwner && (
        <Form.Item
          name="customerId"
          label={t('owner.label')}
          extra={t('owner.hint')}
          getValueProps={(value?: number | null) => ({ value: value ?? undefined })}
        >
          <CustomerPicker placeholder={t('owner.platform')} {...knownOwner(document)} />
        </Form.Item>
      )}
      <Form.Item name="categoryId" label={t('category.label')} rules={[required(t('category.label'))]}>
        <CategorySelect placeholder={t('category.choose')} />
      </Form.Item>
      <Form.Item name="type" label={t('type.label')}>
        <Select
          options={[
            { value: 'none' as const, label: typeName(null) },
            ...TYPES.map((value) => ({ value, label: typeName(value) })),
          ]}
        />
      </Form.Item>
      <Form.Item name="enabled" label={t('enabled')} valuePropName="checked" extra={t('disabledHint')}>
        <Switch />
      </Form.Item>
      {type !== undefined && type !== 'none' && (
        <Form.Item name="bindings" label={t(`bindings.of.${type}`)} extra={t('bindings.hint')} className="form-wide">
          <BindingsField suggestsCodes={type === DOCUMENT_TYPES.alarm} />
        </Form.Item>
      )}
      <Form.Item name="readLevel" label={t('readLevel')} extra={t('form.readHint')}>
        <Select options={levelOptions((level) => !levelSuffices(levels.wiki.read, level))} />
      </Form.Item>
      <Form.Item name="writeLevel" label={t('writeLevel')} extra={t('form.writeHint')}>
        <Select options={levelOptions((level) => !levelSuffices(levels.wiki.write, level))} />
      </Form.Item>
      <Form.Item name="icon" label={t('icon')} className="form-wide">
        <PictureField label={t('icon')} purpose="icon" onBusy={setUploading} />
      </Form.Item>
    </FormPanel>
  );
}

function knownOwner(document: DocumentDetail | undefined) {
  return document?.customer ? { knownAs: document.customer } : {};
}
