import { Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CustomerPicker, DevicePicker, SitePicker } from '../../../shared/ui/list-page/pickers.tsx';
import css from './form.module.css';
import type { Subject } from './issue-subject.ts';

const KINDS = ['device', 'site', 'customer'] as const;
type Kind = (typeof KINDS)[number];

/** Chooses the device, site or customer of a new issue. */
export function SubjectField(props: { id?: string; value?: Subject | null; onChange?(subject: Subject | null): void }) {
  const { value, onChange } = props;
  const { t } = useTranslation('issue');
  const [kind, setKind] = useState<Kind>('device');
  const Picker = { device: DevicePicker, site: SitePicker, customer: CustomerPicker }[kind];
  return (
    <div className={css.choice}>
      <Select<Kind>
        aria-label={t('form.subjectKind')}
        value={kind}
        options={KINDS.map((one) => ({ value: one, label: t(`form.kind.${one}`) }))}
        onChange={(next) => {
          setKind(next);
          onChange?.(null);
        }}
      />
      <Picker
        key={kind}
        {...(props.id !== undefined && { id: props.id })}
        value={value?.kind === kind ? (value.id as number) : undefined}
        placeholder={t(`form.choose.${kind}`)}
        onChange={(id) => onChange?.(id === undefined ? null : { kind, id })}
      />
    </div>
  );
}
