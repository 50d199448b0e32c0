import { browserOf } from '../../lib/browser/user-agent.ts';
import { Dash } from './time-ago.tsx';

/** A short description of a browser and its system, with the full user agent on hover. */
export function Browser({ userAgent }: { userAgent: string }) {
  if (userAgent === '') return <Dash />;
  return (
    <span className="browser-name" title={userAgent}>
      {browserOf(userAgent) ?? userAgent}
    </span>
  );
}
