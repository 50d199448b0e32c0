import type { SystemParameterRow } from '@chargehand/contract';
import {
  type BrandingFault,
  type BrandingKey,
  brandColors,
  brandingFault,
  brandingParameter,
  enteredBranding,
  LOGO_BYTES,
  logoFormat,
} from '@chargehand/domain';
import { Button, Input } from 'antd';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ParameterConfirm } from './parameter-confirm.tsx';
import { useParameterTexts } from './parameter-texts.ts';
import css from './parameters.module.css';

/** A part of the branding. */
export type BrandingRow = SystemParameterRow & { key: BrandingKey; value: string; base: string };

/** Changes a part of the branding, and shows how it will look. An empty value is the default. */
export function BrandingDialog({ row, onClose }: { row: BrandingRow; onClose(): void }) {
  const { t } = useTranslation('system-parameters');
  const texts = useParameterTexts();
  const [value, setValue] = useState(row.value);
  // A selected file that is not a logo.
  const [refused, setRefused] = useState(false);
  const { key, base } = row;
  const { kind } = brandingParameter(key);
  const name = texts.label(key);
  const entered = enteredBranding(key, value);
  const isBase = entered === base || entered === '';
  const fault = refused ? 'logo' : isBase || kind === 'logo' ? null : brandingFault(key, entered);
  const restore = () => {
    setValue(base);
    setRefused(false);
  };
  return (
    <ParameterConfirm
      row={row}
      entered={value}
      value={isBase ? null : entered}
      ready={fault === null && entered !== row.value}
      onClose={onClose}
    >
      {kind === 'logo' ? (
        <LogoInput
          onSelect={(logo) => {
            setRefused(logo === null);
            if (logo !== null) setValue(logo);
          }}
        />
      ) : (
        <TextInput name={name} kind={kind} value={value} fault={fault} onChange={setValue} />
      )}
      {fault !== null && (
        <p className="error-note" role="status">
          {t(`branding.faults.${fault}`)}
        </p>
      )}
      {entered !== base && (
        <button type="button" className={`text-button ${css.start}`} onClick={restore}>
          {base === '' ? t('branding.remove') : t('useDefault', { value: texts.value(key, base) })}
        </button>
      )}
      <Preview>{fault === null && <Look name={key} value={isBase ? base : entered} />}</Preview>
    </ParameterConfirm>
  );
}

interface TextInputProps {
  name: string;
  kind: 'text' | 'color';
  value: string;
  fault: BrandingFault | null;
  onChange(value: string): void;
}

function TextInput({ name, kind, value, fault, onChange }: TextInputProps) {
  const { t } = useTranslation('system-parameters');
  const id = useId();
  return (
    <>
      <label htmlFor={id}>{name}</label>
      <div className={css.field}>
        <Input
          id={id}
          className={css.grow}
          value={value}
          status={fault === null ? '' : 'error'}
          aria-invalid={fault !== null}
          autoFocus
          onChange={(event) => onChange(event.target.value)}
        />
        {kind === 'color' && (
          <input
            type="color"
            aria-label={t('branding.pick')}
            value={/^#[0-9a-f]{6}$/i.test(value) ? value : '#20272c'}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </div>
    </>
  );
}

/** Selects a file. Null: it is not a logo. */
function LogoInput({ onSelect }: { onSelect(dataUrl: string | null): void }) {
  const { t } = useTranslation('system-parameters');
  const input = useRef<HTMLInputElement>(null);
  async function read(file: File) {
    const bytes = file.size > LOGO_BYTES ? null : new Uint8Array(await file.arrayBuffer());
    const format = bytes && logoFormat(bytes);
    if (!(bytes && format)) return onSelect(null);
    const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    onSelect(`data:image/${format === 'jpg' ? 'jpeg' : format};base64,${base64}`);
  }
  return (
    <>
      <input
        ref={input}
        hidden
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-label={t('branding.choose')}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) void read(file);
        }}
      />
      <Button className={css.start} onClick={() => input.current?.click()}>
        {t('branding.choose')}
      </Button>
    </>
  );
}

function Preview({ children }: { children: ReactNode }) {
  const { t } = useTranslation('system-parameters');
  return (
    <section className={css.preview} aria-label={t('branding.preview')}>
      <p className="quiet">{t('branding.preview')}</p>
      {children}
    </section>
  );
}

/** How a value looks where it is used. */
function Look({ name, value }: { name: BrandingKey; value: string }) {
  const { t } = useTranslation('system-parameters');
  const { kind } = brandingParameter(name);
  if (value === '') return <p>{t('branding.none')}</p>;
  if (kind === 'logo') {
    const src = value.startsWith('data:') ? value : `/api/unauth/branding/logo/${value}`;
    return (
      <div className={css.dark}>
        <img className={css.logo} src={src} alt={t('branding.preview')} />
      </div>
    );
  }
  if (kind === 'text') return <p className="breaks">{value}</p>;
  const { light, dark } = brandColors(value);
  return (
    <div className={`field-row ${css.samples}`}>
      <span style={{ background: light, color: '#ffffff' }}>{t('branding.light')}</span>
      <span style={{ background: dark, color: '#14181a' }}>{t('branding.dark')}</span>
    </div>
  );
}
