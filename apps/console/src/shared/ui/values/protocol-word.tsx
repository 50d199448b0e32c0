import { type ProtocolWordKind, protocolWord } from '@chargehand/domain';
import { useNames } from '../../i18n/use-names.ts';
import { Dash } from './time-ago.tsx';

/** An OCPP value in the user's language, with the reported value as its title. */
export function ProtocolWord({ kind, value }: { kind: ProtocolWordKind; value: string | null }) {
  const { nameOf } = useNames();
  return value === null ? <Dash /> : <span title={value}>{nameOf(protocolWord(kind, value))}</span>;
}
