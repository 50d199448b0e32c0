import type { MessageFault } from '@chargehand/contract';
import { Button, Input, InputNumber, Select } from 'antd';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { placeOf, useFaultText } from './message-faults.ts';
import {
  asObject,
  type Definitions,
  fieldsOf,
  initialValue,
  kindOf,
  resolved,
  type Schema,
  withEntry,
  withField,
} from './schema-model.ts';
import css from './workbench.module.css';

interface FieldProps {
  name: string;
  /** JSON pointer */
  path: string;
  schema: Schema;
  definitions: Definitions;
  required: boolean;
  value: unknown;
  faults: readonly MessageFault[];
  onChange(value: unknown): void;
}

/** The fields of a message according to its schema. Empty fields are omitted. */
export function SchemaFields(props: Omit<FieldProps, 'name' | 'required'>) {
  const { path, schema, definitions, value, faults, onChange } = props;
  const fields = fieldsOf(resolved(schema, definitions));
  return (
    <div className="stack">
      {fields.map((field) => (
        <Field
          key={field.name}
          {...field}
          path={`${path}/${field.name}`}
          definitions={definitions}
          value={asObject(value)[field.name]}
          faults={faults}
          onChange={(next) => onChange(withField(value, field.name, next))}
        />
      ))}
    </div>
  );
}

function Field(props: FieldProps) {
  const own = { ...props, schema: resolved(props.schema, props.definitions) };
  const kind = kindOf(own.schema);
  if (kind === 'object') return <ObjectField {...own} />;
  if (kind === 'list') return <ListField {...own} />;
  return <PlainField {...own} />;
}

/** A group of fields. An optional group exists after the user adds it. */
function ObjectField(props: FieldProps) {
  const { name, path, schema, definitions, required, value, faults, onChange } = props;
  const { t } = useTranslation('workbench');
  const present = value !== undefined;
  return (
    <Group
      name={name}
      required={required}
      buttons={
        present ? (
          !required && (
            <Button size="small" aria-label={t('removeNamed', { name })} onClick={() => onChange(undefined)}>
              {t('remove')}
            </Button>
          )
        ) : (
          <Button
            size="small"
            aria-label={t('addNamed', { name })}
            onClick={() => onChange(initialValue(schema, definitions) ?? {})}
          >
            {t('add')}
          </Button>
        )
      }
    >
      <Faults path={path} faults={faults} />
      {present && <SchemaFields {...{ path, schema, definitions, value, faults, onChange }} />}
    </Group>
  );
}

function ListField({ name, path, schema, definitions, required, value, faults, onChange }: FieldProps) {
  const { t } = useTranslation('workbench');
  const entries = Array.isArray(value) ? value : [];
  const items = schema.items ?? {};
  const full = schema.maxItems !== undefined && entries.length >= schema.maxItems;
  const drop = (index: number) => {
    const rest = withEntry(entries, index, undefined);
    onChange(rest.length === 0 && !required ? undefined : rest);
  };
  return (
    <Group
      name={name}
      required={required}
      buttons={
        <Button
          size="small"
          disabled={full}
          aria-label={t('addNamed', { name })}
          onClick={() => onChange([...entries, initialValue(items, definitions) ?? ''])}
        >
          {t('add')}
        </Button>
      }
    >
      <Faults path={path} faults={faults} />
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries are identified by their position
        <div className={css.workbenchEntry} key={index}>
          <Field
            name={`${name} ${index + 1}`}
            path={`${path}/${index}`}
            schema={items}
            definitions={definitions}
            required
            value={entry}
            faults={faults}
            onChange={(next) => onChange(withEntry(entries, index, next ?? ''))}
          />
          <Button
            size="small"
            aria-label={t('removeNamed', { name: `${name} ${index + 1}` })}
            onClick={() => drop(index)}
          >
            {t('remove')}
          </Button>
        </div>
      ))}
    </Group>
  );
}

function Group(props: { name: string; required: boolean; buttons: ReactNode; children: ReactNode }) {
  const { name, required, buttons, children } = props;
  return (
    <fieldset className={css.workbenchGroup}>
      <legend>
        <FieldName name={name} required={required} /> {buttons}
      </legend>
      {children}
    </fieldset>
  );
}

function FieldName({ name, required }: { name: string; required: boolean }) {
  const { t } = useTranslation('workbench');
  return (
    <>
      <code>{name}</code> {!required && <span className="quiet">{t('optional')}</span>}
    </>
  );
}

/** Texts of protocols that may be longer than this have several lines, such as certificates. */
const ONE_LINE = 1_000;

function PlainField(props: FieldProps) {
  const { name, path, schema, required, value, faults, onChange } = props;
  const { t } = useTranslation('workbench');
  const id = useId();
  const kind = kindOf(schema);
  const wrong = faults.some((fault) => placeOf(fault) === path);
  const status = wrong ? ('error' as const) : undefined;
  const input = () => {
    switch (kind) {
      case 'choice':
      case 'boolean': {
        const choices = kind === 'boolean' ? [true, false] : (schema.enum ?? []);
        return (
          <Select
            id={id}
            allowClear={!required}
            showSearch
            {...(status && { status })}
            aria-label={name}
            value={value ?? null}
            options={choices.map((choice) => ({ value: choice, label: String(choice) }))}
            onChange={(next) => onChange(next ?? undefined)}
          />
        );
      }
      case 'integer':
      case 'number':
        return (
          <InputNumber
            id={id}
            {...(status && { status })}
            {...(kind === 'integer' ? { precision: 0 } : {})}
            value={typeof value === 'number' ? value : null}
            onChange={(next) => onChange(next ?? undefined)}
          />
        );
      case 'json':
        return <span className="quiet">{t('jsonOnly')}</span>;
      default: {
        const common = {
          ...{ id, ...(status && { status }) },
          value: typeof value === 'string' ? value : '',
          ...(schema.maxLength === undefined ? {} : { maxLength: schema.maxLength }),
          onChange: ({ target }: { target: { value: string } }) =>
            onChange(target.value === '' ? undefined : target.value),
        };
        // A single-line input would remove the line breaks of a pasted certificate.
        if (kind === 'text' && (schema.maxLength ?? 0) > ONE_LINE) return <Input.TextArea {...common} autoSize />;
        const placeholder = kind === 'time' ? t('timeExample') : undefined;
        return <Input {...common} placeholder={placeholder} autoComplete="off" />;
      }
    }
  };
  return (
    <div className="stack-tight">
      <label htmlFor={id}>
        <FieldName name={name} required={required} />
      </label>
      {input()}
      <Faults path={path} faults={faults} />
    </div>
  );
}

/** The errors of a field. */
function Faults({ path, faults }: { path: string; faults: readonly MessageFault[] }) {
  const textOf = useFaultText();
  const own = faults.filter((fault) => placeOf(fault) === path);
  return own.map((fault) => (
    <span className="error-note" key={`${fault.keyword}${JSON.stringify(fault.params)}`}>
      {textOf(fault)}
    </span>
  ));
}
