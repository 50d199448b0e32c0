import { AlarmTable } from './alarm-table.tsx';

/** The active and former alarms of the devices of a site. */
export default function SiteAlarms({ siteId }: { siteId: number }) {
  return <AlarmTable place={{ siteId }} />;
}
