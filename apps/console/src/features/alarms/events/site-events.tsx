import { EventTable } from './event-table.tsx';

/** What happened at a site: the events of its devices. */
export default function SiteEvents({ siteId }: { siteId: number }) {
  return <EventTable place={{ siteId }} />;
}
