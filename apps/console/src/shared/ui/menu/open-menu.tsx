import { Button, type ButtonProps, Dropdown, type MenuProps } from 'antd';
import { type RefObject, useState } from 'react';

export interface MenuButtonProps extends Omit<ButtonProps, 'onClick' | 'ref'> {
  ref?: RefObject<HTMLButtonElement | null>;
  menu: MenuProps;
  /** `bottomRight`: the right edges of the button and its menu are aligned */
  placement?: 'bottomLeft' | 'bottomRight';
}

/** The button of a menu that a user has opened: at first it is open. */
export default function OpenMenu({ menu, placement, ...button }: MenuButtonProps) {
  const [open, setOpen] = useState(true);
  return (
    <Dropdown autoFocus trigger={['click']} placement={placement} menu={menu} open={open} onOpenChange={setOpen}>
      <Button {...button} aria-haspopup="menu" aria-expanded={open} onClick={(event) => event.stopPropagation()} />
    </Dropdown>
  );
}
