import { LeftOutlined, RightOutlined, UndoOutlined, ZoomInOutlined, ZoomOutOutlined } from '@ant-design/icons';
import { Button, Space } from 'antd';
import { useTranslation } from 'react-i18next';

/** Half a window back or forward, half or twice the length, or back to the last hour. */
export type WindowMove = 'back' | 'on' | 'in' | 'out' | 'reset';

const ICONS = {
  back: LeftOutlined,
  on: RightOutlined,
  in: ZoomInOutlined,
  out: ZoomOutOutlined,
  reset: UndoOutlined,
} as const satisfies Record<WindowMove, unknown>;

/** Buttons to move and zoom the window of a chart. */
export function WindowButtons({ onMove, fixed }: { onMove(move: WindowMove): void; fixed: boolean }) {
  const { t } = useTranslation('telemetry');
  return (
    <Space.Compact>
      {(Object.keys(ICONS) as WindowMove[]).map((move) => {
        const Icon = ICONS[move];
        return (
          <Button
            key={move}
            icon={<Icon aria-hidden="true" />}
            aria-label={t(`move.${move}`)}
            title={t(`move.${move}`)}
            disabled={!fixed && (move === 'on' || move === 'reset')}
            onClick={() => onMove(move)}
          />
        );
      })}
    </Space.Compact>
  );
}
