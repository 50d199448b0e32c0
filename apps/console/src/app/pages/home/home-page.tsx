import { HomePage, type HomeParts } from '../../../features/alarms/home/home-page.tsx';
import { loadWords } from '../../../shared/i18n/i18n.ts';
import { latePart } from '../../../shared/ui/states/late-part.tsx';

/** Home belongs to the feature `alarms`. Parts of other features are added here, loaded after the first screen. */
const PARTS: HomeParts = {
  myIssues: latePart(async () => {
    const [part] = await Promise.all([
      import('../../../features/issues/sections/my-issues.tsx'),
      loadWords(['issues']),
    ]);
    return part;
  }, 4),
  map: latePart(async () => {
    const [{ SitesMap }] = await Promise.all([
      import('../../../features/fleet/map/sites-map.tsx'),
      loadWords(['places']),
    ]);
    return { default: SitesMap };
  }, 0),
};

export default function HomeScreen() {
  return <HomePage parts={PARTS} />;
}
