import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Logo, ProductName } from '../shared/ui/page/logo.tsx';
import './page-frame.css';

/** The frame of a page outside the console: logo at the top, content in the middle, notes at the bottom. */
export function PageFrame(props: { children: ReactNode; footer?: ReactNode }) {
  return (
    <div className="page-frame">
      <header>
        <Link to="/" className="page-frame-brand">
          <Logo size={28} />
          <ProductName />
        </Link>
      </header>
      <main>{props.children}</main>
      <footer>{props.footer}</footer>
    </div>
  );
}
