import type { SendState } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { SendStateTag } from '../../../shared/ui/tags/send-state-tag.tsx';

/** The state of a message to a receiver. */
export function MessageSendState({ state }: { state: SendState }) {
  const { t } = useTranslation('channels');
  return (
    <SendStateTag state={state} title={t(`stateHints.${state}`)}>
      {t(`states.${state}`)}
    </SendStateTag>
  );
}
