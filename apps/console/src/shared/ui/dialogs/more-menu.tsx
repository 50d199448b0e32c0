import { MoreOutlined } from '@ant-design/icons';
import type { ButtonProps, MenuProps } from 'antd';
import { useRef } from 'react';
import { MenuButton } from '../menu/menu-button.tsx';

interface Props extends Pick<ButtonProps, 'type' | 'size'> {
  items: NonNullable<MenuProps['items']>;
  /** the accessible name of the menu */
  label: string;
}

/**
 * The menu of a row's actions behind a three-dot button. Selecting an entry returns the focus to the button, so that a
 * dialog can return it there. The key that selected the entry does not also press a button of the dialog.
 */
export function MoreMenu({ items, label, type = 'text', size }: Props) {
  const dots = useRef<HTMLButtonElement>(null);
  return (
    <MenuButton
      ref={dots}
      type={type}
      size={size}
      icon={<MoreOutlined aria-hidden="true" />}
      aria-label={label}
      placement="bottomRight"
      menu={{
        items,
        onClick: ({ domEvent }) => {
          domEvent.preventDefault();
          dots.current?.focus();
        },
      }}
    />
  );
}
