import { EXECUTION_RESULTS, type ExecutionResult } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import type { Glyph } from './status-glyph.tsx';
import { Tag, type Tone } from './tag.tsx';

const LOOKS: Record<ExecutionResult, { tone: Tone; glyph: Glyph }> = {
  waiting: { tone: 'working', glyph: 'clock' },
  success: { tone: 'idle', glyph: 'check' },
  failure: { tone: 'faulted', glyph: 'cross' },
  timeout: { tone: 'firmware-update', glyph: 'clock' },
  offline: { tone: 'offline', glyph: 'broken' },
};

const NAMES = new Map(Object.entries(EXECUTION_RESULTS).map(([name, value]) => [value, name as ExecutionResult]));

/** The result of a command on a device: the results 1-5 of spec §4. */
export function ResultTag({ result }: { result: number }) {
  const { t } = useTranslation();
  const name = NAMES.get(result as (typeof EXECUTION_RESULTS)[ExecutionResult]);
  if (!name) return <>{result}</>;
  return <Tag {...LOOKS[name]}>{t(`executionResult.${name}`)}</Tag>;
}
