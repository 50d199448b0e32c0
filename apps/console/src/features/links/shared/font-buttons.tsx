import { Button } from 'antd';
import { useTranslation } from 'react-i18next';

const SYMBOLS = { smaller: '−', larger: '+' } as const;

/** Buttons for smaller and larger text in a terminal or a recording. */
export function FontButtons(props: { size: number; least: number; most: number; onChange(size: number): void }) {
  const { size, least, most, onChange } = props;
  const { t } = useTranslation('links');
  return (['smaller', 'larger'] as const).map((way) => (
    <Button
      key={way}
      size="small"
      disabled={way === 'smaller' ? size <= least : size >= most}
      aria-label={t(`terminal.${way}`)}
      title={t(`terminal.${way}`)}
      onClick={() => onChange(way === 'smaller' ? size - 1 : size + 1)}
    >
      <span aria-hidden="true">{SYMBOLS[way]}</span>
    </Button>
  ));
}
