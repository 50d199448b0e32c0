import { Button } from 'antd';
import type { MouseEvent, ReactNode } from 'react';
import { useHref, useLinkClickHandler } from 'react-router';

/**
 * A link to a page of the console that looks like a button: a single element, so that it has one tab stop and one focus
 * ring.
 */
export function LinkButton({ to, primary, children }: { to: string; primary?: boolean; children: ReactNode }) {
  const href = useHref(to);
  const follow = useLinkClickHandler(to);
  return (
    <Button
      type={primary ? 'primary' : 'default'}
      href={href}
      onClick={(event) => follow(event as MouseEvent<HTMLAnchorElement>)}
    >
      {children}
    </Button>
  );
}
