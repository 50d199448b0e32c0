import { guardRedirect, landingPath, NO_AUTH } from '@chargehand/domain';
import { redirect } from 'react-router';
import { knowSession } from '../shared/session/account.ts';
import { holderOf, session } from '../shared/session/session.ts';
import { afterLogin, type FirstStep, firstStepOf, loginPath, stepPath } from './destinations.ts';
import type { AppRoute } from './routes.ts';

/** Lets a signed-in user who holds the route's keys through; sends everybody else where spec §2 says. */
export async function guardRoute(route: AppRoute, request: Request): Promise<null> {
  const found = await knowSession();
  // Behind the dialog that tells of its end, a session's screen stays as it was.
  if (found.status !== 'signedIn' && found.status !== 'ended') throw redirect(loginPath(request.url));
  const step = firstStepOf(found.user);
  if (step) throw redirect(stepPath(step, request.url));
  const elsewhere = guardRedirect(holderOf(found), route);
  if (elsewhere) throw redirect(elsewhere);
  if (route.rootOnly && !found.user.root) throw redirect(NO_AUTH);
  if (route.redirectTo) throw redirect(route.redirectTo);
  return null;
}

/** The root has no screen: it leads to the landing page, or to the sign-in page. */
export async function guardRoot(): Promise<null> {
  const found = await knowSession();
  if (found.status !== 'signedIn') throw redirect('/login');
  throw redirect(firstStepOf(found.user) ?? landingPath(holderOf(found)));
}

/** Somebody already signed in has nothing to do on the sign-in page. */
export async function guardLogin(request: Request): Promise<null> {
  // Who came here because the server could not be asked is told so, and asks again by reloading.
  const known = session.get();
  const found = known.status === 'failed' ? known : await knowSession();
  if (found.status !== 'signedIn') return null;
  const step = firstStepOf(found.user);
  if (step) throw redirect(`${step}${new URL(request.url).search}`);
  throw redirect(afterLogin(holderOf(found), new URL(request.url).searchParams.get('from')));
}

/** Only somebody whose password somebody else set has something to do there. */
export function guardChoosing(request: Request): Promise<null> {
  return guardStep('/choose-password', request);
}

/** Only somebody whose role requires a second factor that is not set up has something to do there. */
export function guardSecondFactor(request: Request): Promise<null> {
  return guardStep('/second-factor', request);
}

/** Lets somebody take a step that waits for them; the others go where they would anyway. */
async function guardStep(page: FirstStep, request: Request): Promise<null> {
  const found = await knowSession();
  if (found.status !== 'signedIn' && found.status !== 'ended') throw redirect('/login');
  const { search, searchParams } = new URL(request.url);
  const step = firstStepOf(found.user);
  if (step === page) return null;
  throw redirect(step ? `${step}${search}` : afterLogin(holderOf(found), searchParams.get('from')));
}
