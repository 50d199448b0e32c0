import { ReadOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import type { FoundExplanation } from './explanation-props.ts';
import { ExplanationText } from './explanation-text.tsx';
import css from './explanations.module.css';

/** The short answer in the flow of a page. */
export default function ExplanationNote(props: FoundExplanation) {
  const { t } = useTranslation('explanations');
  return (
    <section className={css.note} aria-label={t('label', { code: props.of.key })}>
      <ReadOutlined aria-hidden="true" className={css.icon} />
      <ExplanationText {...props} />
    </section>
  );
}
