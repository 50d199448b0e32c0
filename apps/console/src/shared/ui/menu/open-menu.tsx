import { Button, type ButtonProps, Dropdown, type MenuProps } from 'antd';
import { type RefObject, useRef, useState } from 'react';

export interface MenuButtonProps extends Omit<ButtonProps, 'onClick' | 'ref'> {
  ref?: RefObject<HTMLButtonElement | null>;
  menu: MenuProps;
  /** `bottomRight`: the right edges of the button and its menu are aligned */
  placement?: 'bottomLeft' | 'bottomRight';
}

/** The button of a menu that a user has opened: at first it is open. */
export default function OpenMenu({ ref, menu, placement, ...props }: MenuButtonProps) {
  const [open, setOpen] = useState(true);
  const own = useRef<HTMLButtonElement>(null);
  const button = ref ?? own;
  return (
    <Dropdown
      autoFocus
      trigger={['click']}
      placement={placement}
      menu={menu}
      open={open}
      onOpenChange={(next) => {
        // The focus would be lost together with the menu.
        if (!next && document.activeElement?.closest('[role="menu"]')) button.current?.focus();
        setOpen(next);
      }}
    >
      <Button
        {...props}
        ref={button}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={(event) => event.stopPropagation()}
      />
    </Dropdown>
  );
}
