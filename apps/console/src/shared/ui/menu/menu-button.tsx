import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { loadChunk } from '../../lib/browser/load-chunk.ts';
import type { MenuButtonProps } from './open-menu.tsx';

const loadMenu = () => import('./open-menu.tsx');
const OpenMenu = lazy(() => loadChunk(loadMenu));

/**
 * A button that opens a menu. The code of menus is loaded when a user reaches for the first one, because no page needs
 * it to be shown.
 */
export function MenuButton({ menu, placement = 'bottomLeft', ...button }: MenuButtonProps) {
  const [wanted, setWanted] = useState(false);
  const plain = (
    <Button
      {...button}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={loadAhead}
      onFocus={loadAhead}
      onClick={(event) => {
        // In a list, a click on the row opens its page.
        event.stopPropagation();
        setWanted(true);
      }}
    />
  );
  if (!wanted) return plain;
  return (
    <Suspense fallback={plain}>
      <OpenMenu {...button} menu={menu} placement={placement} />
    </Suspense>
  );
}

/** A click loads the menu again and reports the error. */
function loadAhead(): void {
  loadMenu().catch(() => undefined);
}
