import { type GeoPosition, isLatitude, isLongitude } from '@chargehand/domain';
import { Button, Form, Input } from 'antd';
import { type ClipboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import css from '../map/map.module.css';
import { SiteMap } from '../map/site-map.tsx';

/** The entered position; empty when there is none. */
export interface PositionValues {
  latitude: string;
  longitude: string;
}

/** A typed number: a point, digits, a sign; NaN for anything else. */
function degreesOf(text: string): number {
  return /^[-+]?\d+(\.\d*)?$/.test(text.trim()) ? Number(text) : Number.NaN;
}

/** The entered position in the form of the contract, after the rules of the fields have passed. */
export function positionOf({ latitude, longitude }: PositionValues) {
  const of = (text: string) => (text.trim() === '' ? null : degreesOf(text));
  return { latitude: of(latitude), longitude: of(longitude) };
}

/** Latitude and longitude: typed, pasted together, or clicked on a map. */
export function PositionFields() {
  const { t } = useTranslation('places');
  const form = Form.useFormInstance<PositionValues>();
  const latitude = Form.useWatch('latitude', form) ?? '';
  const longitude = Form.useWatch('longitude', form) ?? '';
  const [mapOpen, setMapOpen] = useState(false);
  const typed = { latitude: degreesOf(latitude), longitude: degreesOf(longitude) };
  const position = isLatitude(typed.latitude) && isLongitude(typed.longitude) ? typed : null;

  function set({ latitude: north, longitude: east }: GeoPosition) {
    form.setFieldsValue({ latitude: String(north), longitude: String(east) });
    // Errors are shown at the fields, so the rejection is ignored.
    void form.validateFields(['latitude', 'longitude']).catch(() => undefined);
  }
  /** Maps copy positions as "22.3, 114.2": pasting that into one field fills both. */
  function paste(event: ClipboardEvent) {
    const parts = event.clipboardData
      .getData('text')
      .split(/[,;\s]+/)
      .filter(Boolean);
    const [north = Number.NaN, east = Number.NaN] = parts.map(degreesOf);
    if (parts.length !== 2 || !isLatitude(north) || !isLongitude(east)) return;
    event.preventDefault();
    set({ latitude: north, longitude: east });
  }
  const rule = (own: keyof PositionValues, valid: (degrees: number) => boolean, message: string) => ({
    validator: (_: unknown, text: string) => {
      const other = form.getFieldValue(own === 'latitude' ? 'longitude' : 'latitude') as string;
      if (text.trim() === '') {
        return other.trim() === '' ? Promise.resolve() : Promise.reject(new Error(t('form.bothDegrees')));
      }
      return valid(degreesOf(text)) ? Promise.resolve() : Promise.reject(new Error(message));
    },
  });
  return (
    <>
      <Form.Item
        name="latitude"
        label={t('site.latitude')}
        extra={t('form.degreesHint')}
        dependencies={['longitude']}
        rules={[rule('latitude', isLatitude, t('form.latitudeRange'))]}
      >
        <Input
          className="mono"
          maxLength={20}
          autoComplete="off"
          inputMode="decimal"
          placeholder={t('form.optional')}
          onPaste={paste}
        />
      </Form.Item>
      <Form.Item
        name="longitude"
        label={t('site.longitude')}
        dependencies={['latitude']}
        rules={[rule('longitude', isLongitude, t('form.longitudeRange'))]}
      >
        <Input
          className="mono"
          maxLength={20}
          autoComplete="off"
          inputMode="decimal"
          placeholder={t('form.optional')}
          onPaste={paste}
        />
      </Form.Item>
      <div className={`form-wide stack-tight`}>
        {mapOpen ? (
          <>
            <SiteMap position={position} onPick={set} />
            <p className="quiet">{t('map.pickHint')}</p>
          </>
        ) : (
          <Button className={css.mapOpen} onClick={() => setMapOpen(true)}>
            {t('map.pick')}
          </Button>
        )}
      </div>
    </>
  );
}
