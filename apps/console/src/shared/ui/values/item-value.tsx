import { WarningOutlined } from '@ant-design/icons';
import type { ShownValue } from '@chargehand/domain';
import { useNames } from '../../i18n/use-names.ts';
import { Breakable } from './breakable.tsx';
import { Dash } from './time-ago.tsx';
import './item-value.css';

/** A sign and a sentence for a value that its item does not admit. */
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

/** A value with its unit, and a mark when its item does not admit it. `raw` is what the device itself says, where that differs. */
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
