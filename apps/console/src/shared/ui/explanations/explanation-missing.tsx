import { FileAddOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { usePermitted } from '../../session/permitted.tsx';
import type { MissingProps } from './explanation-props.ts';
import css from './explanations.module.css';

/** Says that no document explains a code, and offers to write one to those who may. */
export default function ExplanationMissing({ code, type, deviceModelId = null }: MissingProps) {
  const { t } = useTranslation('explanations');
  const writes = usePermitted(['auth_docs_add']);
  const query = new URLSearchParams({
    ...{ type: `${type}`, code },
    ...(deviceModelId === null ? {} : { deviceModelId: `${deviceModelId}` }),
  });
  return (
    <p className={css.note} role="note">
      <FileAddOutlined aria-hidden="true" className={css.icon} />
      <span>
        {t('missing', { code })} {writes && <Link to={`/manage/docs/add?${query}`}>{t('write')}</Link>}
      </span>
    </p>
  );
}
