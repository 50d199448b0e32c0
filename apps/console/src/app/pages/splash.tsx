import { Logo } from '../../shared/ui/page/logo.tsx';
import './splash.css';

/** Shown while the first page is loading. */
export function Splash() {
  return (
    <div className="splash" aria-busy="true">
      <Logo size={44} />
    </div>
  );
}
