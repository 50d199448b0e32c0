import { client, openSession } from '../../apps/server/src/testing/client.ts';
import { addApplications, applicationScenes } from '../applications/scenes.ts';
import { addFiles } from '../demo-files.ts';
import { addIssues } from '../demo-issues.ts';
import { addLinks } from '../demo-links.ts';
import { picture } from '../demo-past.ts';
import type { DemoWorld } from '../demo-world.ts';
import { addErrors, logScenes } from '../logs/log-scenes.ts';
import type { Scene } from '../scene.ts';
import { scenesOf } from '../scenes.ts';
import { fileScenes } from '../scenes-files.ts';
import { issueScenes } from '../scenes-issues.ts';
import { linkScenes } from '../scenes-links.ts';
import { reportScenes } from '../scenes-reports.ts';

/** A new session of the root account. */
export async function sessionOfRoot({ database }: DemoWorld) {
  const { rows } = await database.pool.query<{ id: number }>('select id from users where root limit 1');
  return await openSession(database.db, rows[0]!.id);
}

/** Fills the world with what its screens show, and returns every screen. */
export async function everyScene(world: DemoWorld): Promise<Scene[]> {
  const person = client(world.url, await sessionOfRoot(world));
  const files = await addFiles({ url: world.url, person, picture });
  const issues = await addIssues(world.database.pool, person);
  const links = await addLinks(world, { issueId: issues.fresh, deviceId: issues.place.deviceId });
  await addErrors(world.database);
  const applications = await addApplications(world.database.pool, person, 'mandy_ho');
  return [
    ...(await scenesOf(world, applications.billing)),
    ...applicationScenes(applications),
    ...fileScenes(files),
    ...issueScenes(issues),
    ...linkScenes(links),
    ...logScenes(),
    ...(await reportScenes({ world, person, picture })),
  ];
}
