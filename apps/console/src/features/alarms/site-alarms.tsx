import { AlarmTable } from './alarm-table.tsx';

/** The alarms of the devices of a site: what is wrong now, and what was. */
export default function SiteAlarms({ siteId }: { siteId: number }) {
  return <AlarmTable place={{ siteId }} />;
}
