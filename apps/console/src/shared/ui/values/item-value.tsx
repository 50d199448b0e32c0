import { WarningOutlined } from '@ant-design/icons';
import type { ShownValue } from '@chargehand/domain';
import { useNames } from '../../i18n/use-names.ts';
import { Breakable } from './breakable.tsx';
import { Dash } from './time-ago.tsx';
import './item-value.css';

/** An icon and a text for a value that violates its item. */
export function ValueFaultMark({ problem }: { problem: ShownValue['problem'] }) {
  const { faultText } = useNames();
  if (!problem) return null;
  const text = faultText(problem);
  return (
    <span className="value-fault" role="img" aria-label={text} title={text}>
      <WarningOutlined aria-hidden="true" />
    </span>
  );
}

/** A value with its unit, and a mark when it violates its item. `raw` is the reported value, if different. */
export function ItemValue({ shown, raw }: { shown: ShownValue | null; raw?: string | undefined }) {
  if (!shown || shown.text === '') return <Dash />;
  return (
    <span className="item-value" title={raw !== undefined && raw !== shown.text ? raw : undefined}>
      <span className="item-value-text">
        <Breakable text={shown.text} />
      </span>
      {shown.unit !== '' && <span className="item-unit">{shown.unit}</span>}
      <ValueFaultMark problem={shown.problem} />
    </span>
  );
}
