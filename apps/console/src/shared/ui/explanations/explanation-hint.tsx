import { ReadOutlined } from '@ant-design/icons';
import { Popover } from 'antd';
import { useTranslation } from 'react-i18next';
import type { FoundExplanation } from './explanation-props.ts';
import { ExplanationText } from './explanation-text.tsx';
import css from './explanations.module.css';

/** A button beside a code or name that shows the short answer. */
export default function ExplanationHint(props: FoundExplanation) {
  const { t } = useTranslation('explanations');
  return (
    <Popover
      trigger="click"
      destroyOnHidden
      content={<ExplanationText {...props} />}
      classNames={{ root: css.popover! }}
    >
      <button type="button" className={css.button} aria-label={t('open', { code: props.of.key })} title={t('title')}>
        <ReadOutlined aria-hidden="true" />
      </button>
    </Popover>
  );
}
