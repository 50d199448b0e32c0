import type { FirmwareRow } from '@chargehand/contract';
import { SIGNATURE_LENGTH, SIGNING_CERTIFICATE_LENGTH } from '@chargehand/domain';
import { Button, Checkbox, Input } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { FormField } from '../../shared/ui/transfers/transfer-fields.tsx';
import { ExactTime } from '../../shared/ui/values/time-ago.tsx';
import type { EnteredSigning } from './entered-signing.ts';
import css from './transfers.module.css';

/** The manufacturer's certificate and signature of a firmware file. */
export function SigningFields(props: {
  firmware: FirmwareRow | null;
  value: EnteredSigning;
  disabled: boolean;
  onChange(value: EnteredSigning): void;
}) {
  const { firmware, value, disabled, onChange } = props;
  const { t } = useTranslation('transfers');
  const id = useId();
  return (
    <>
      <div className="transfer-field">
        <Checkbox
          checked={value.signed}
          disabled={disabled}
          onChange={(event) => onChange({ ...value, signed: event.target.checked })}
        >
          {t('firmware.signed')}
        </Checkbox>
        <p className="quiet">{t('firmware.signedHint')}</p>
      </div>
      {value.signed && !value.replacing && firmware && (
        <div>
          <SignedBy firmware={firmware} />
          <Button size="small" disabled={disabled} onClick={() => onChange({ ...value, replacing: true })}>
            {t('firmware.signAnew')}
          </Button>
        </div>
      )}
      {value.signed && value.replacing && (
        <>
          <FormField
            id={`${id}-certificate`}
            label={t('firmware.signingCertificate')}
            hint={t('firmware.signingCertificateHint')}
          >
            <Input.TextArea
              id={`${id}-certificate`}
              className="mono"
              value={value.certificate}
              maxLength={SIGNING_CERTIFICATE_LENGTH}
              rows={4}
              disabled={disabled}
              spellCheck={false}
              onChange={(event) => onChange({ ...value, certificate: event.target.value })}
            />
          </FormField>
          <FormField id={`${id}-signature`} label={t('firmware.signature')} hint={t('firmware.signatureHint')}>
            <Input.TextArea
              id={`${id}-signature`}
              className="mono"
              value={value.signature}
              maxLength={SIGNATURE_LENGTH}
              rows={3}
              disabled={disabled}
              spellCheck={false}
              onChange={(event) => onChange({ ...value, signature: event.target.value })}
            />
          </FormField>
        </>
      )}
    </>
  );
}

/** The signer of a firmware file, and the expiry of the certificate; nothing for an unsigned file. */
export function SignedBy({ firmware }: { firmware: FirmwareRow }) {
  const { t } = useTranslation('transfers');
  const { signedBy, signedUntil } = firmware;
  if (signedBy === null || signedUntil === null) return null;
  const expired = Date.parse(signedUntil) < Date.now();
  return (
    <span className={`quiet ${css.transferNote}`}>
      {t('firmware.signedBy', { name: signedBy })} ·{' '}
      <span className={expired ? css.transferExpired : undefined}>
        {expired ? t('firmware.signatureExpired') : t('firmware.signedUntil')} <ExactTime at={signedUntil} />
      </span>
    </span>
  );
}
