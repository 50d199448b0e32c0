import { LinkList } from './link-list.tsx';

/** The links of the devices of a site. */
export default function SiteLinks({ siteId }: { siteId: number }) {
  return <LinkList of={{ siteId }} />;
}
