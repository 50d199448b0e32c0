import { Button } from 'antd';
import { useTranslation } from 'react-i18next';

/** On a phone: turns the selection mode of cards on and off, and selects all displayed rows. */
export default function ChooseBar(props: { choosing: boolean; onTurn(choosing: boolean): void; onAll(): void }) {
  const { choosing, onTurn, onAll } = props;
  const { t } = useTranslation();
  return (
    <div className="choose-bar">
      {choosing && (
        <Button size="small" onClick={onAll}>
          {t('list.selectPage')}
        </Button>
      )}
      <Button size="small" onClick={() => onTurn(!choosing)}>
        {t(choosing ? 'list.chooseEnd' : 'list.choose')}
      </Button>
    </div>
  );
}
