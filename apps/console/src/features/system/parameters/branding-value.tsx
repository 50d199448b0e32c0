import type { SettingKey } from '@chargehand/domain';
import { useParameterTexts } from './parameter-texts.ts';
import css from './parameters.module.css';

/** A value of a parameter: a number with its unit, a text, a color with a sample of it, or an image. */
export function BrandingValue({ name, value }: { name: SettingKey; value: number | string }) {
  const texts = useParameterTexts();
  if (name === 'productLogo' && value !== '') {
    return <img className={css.logo} src={`/api/unauth/branding/logo/${value}`} alt={texts.label(name)} />;
  }
  if (name === 'primaryColor' && value !== '') {
    return (
      <span className={css.color}>
        <i style={{ background: String(value) }} />
        {value}
      </span>
    );
  }
  return texts.value(name, value);
}
