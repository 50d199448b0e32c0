import { browserOf } from '../../lib/browser/user-agent.ts';
import { Dash } from './time-ago.tsx';

/** A browser and its system in a few words; all that it said of itself shows on hover. */
export function Browser({ userAgent }: { userAgent: string }) {
  if (userAgent === '') return <Dash />;
  return (
    <span className="browser-name" title={userAgent}>
      {browserOf(userAgent) ?? userAgent}
    </span>
  );
}
