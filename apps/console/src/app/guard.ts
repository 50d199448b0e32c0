import { guardRedirect, landingPath, NO_AUTH } from '@chargehand/domain';
import { redirect } from 'react-router';
import { isAmong } from '../shared/session/is-among.ts';
import { knowSession } from '../shared/session/know-session.ts';
import { holderOf, session } from '../shared/session/session.ts';
import { afterLogin, type FirstStep, firstStepOf, loginPath, stepPath } from './destinations.ts';
import type { AppRoute } from './routes/index.ts';

/** Lets signed-in users with the route's keys open a page, and redirects everybody else (spec §2). */
export async function guardRoute(route: AppRoute, request: Request): Promise<null> {
  const found = await knowSession();
  // The page stays unchanged behind the dialog that reports the end of the session.
  if (found.status !== 'signedIn' && found.status !== 'ended') throw redirect(loginPath(request.url));
  const step = firstStepOf(found.user);
  if (step) throw redirect(stepPath(step, request.url));
  const elsewhere = guardRedirect(holderOf(found), route);
  if (elsewhere) throw redirect(elsewhere);
  if (!isAmong(route.who, found.user)) throw redirect(NO_AUTH);
  if (route.redirectTo) throw redirect(route.redirectTo);
  return null;
}

/** The root path has no page: it redirects to the landing page or to the sign-in page. */
export async function guardRoot(): Promise<null> {
  const found = await knowSession();
  if (found.status !== 'signedIn') throw redirect('/login');
  throw redirect(firstStepOf(found.user) ?? landingPath(holderOf(found)));
}

/** Redirects users who are already signed in. */
export async function guardLogin(request: Request): Promise<null> {
  // Users who come here because the server could not be reached see that, and can reload.
  const known = session.get();
  const found = known.status === 'failed' ? known : await knowSession();
  if (found.status !== 'signedIn') return null;
  const step = firstStepOf(found.user);
  if (step) throw redirect(`${step}${new URL(request.url).search}`);
  throw redirect(afterLogin(holderOf(found), new URL(request.url).searchParams.get('from')));
}

/** Only for users whose password was set by somebody else. */
export function guardChoosing(request: Request): Promise<null> {
  return guardStep('/choose-password', request);
}

/** Only for users whose role requires a second factor that is not set up. */
export function guardSecondFactor(request: Request): Promise<null> {
  return guardStep('/second-factor', request);
}

/** Lets users open the page of a step that they must complete, and redirects everybody else. */
async function guardStep(page: FirstStep, request: Request): Promise<null> {
  const found = await knowSession();
  if (found.status !== 'signedIn' && found.status !== 'ended') throw redirect('/login');
  const { search, searchParams } = new URL(request.url);
  const step = firstStepOf(found.user);
  if (step === page) return null;
  throw redirect(step ? `${step}${search}` : afterLogin(holderOf(found), searchParams.get('from')));
}
