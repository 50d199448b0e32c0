import { Logo } from '../../shared/ui/page/logo.tsx';
import './splash.css';

/** What is seen for the moment until the first page is there. */
export function Splash() {
  return (
    <div className="splash" aria-busy="true">
      <Logo size={44} />
    </div>
  );
}
