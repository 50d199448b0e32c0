import type { MessageReason } from '@chargehand/contract';
import type { MessageType } from '@chargehand/domain';
import { Select } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { Reason } from './reason.tsx';

/** Whether and how the user is notified of a type of message about an object. The user chooses the type. */
export function ReasonByType<T extends MessageType>(props: {
  types: readonly T[];
  type: T;
  onType(type: NoInfer<T>): void;
  query: { data: MessageReason | undefined; error: Error | null };
  /** what else explains it */
  children?: ReactNode;
}) {
  const { types, type, onType, query, children } = props;
  const { t } = useTranslation('messages');
  const { data: reason, error } = query;
  return (
    <>
      <Select<T>
        value={type}
        aria-label={t('why.ofType')}
        popupMatchSelectWidth={false}
        options={types.map((value) => ({ value, label: t(`types.${value as MessageType}`) }))}
        onChange={onType}
      />
      {reason && (
        <>
          {reason.refusal === null && <p>{t('why.notified')}</p>}
          <Reason reason={reason} />
          {children}
        </>
      )}
      {error instanceof ApiProblem && <p className="error-note">{error.message}</p>}
    </>
  );
}
