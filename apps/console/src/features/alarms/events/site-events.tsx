import { EventTable } from './event-table.tsx';

/** The events of the devices of a site. */
export default function SiteEvents({ siteId }: { siteId: number }) {
  return <EventTable place={{ siteId }} />;
}
