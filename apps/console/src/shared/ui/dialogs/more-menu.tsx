import { MoreOutlined } from '@ant-design/icons';
import { Button, type ButtonProps, Dropdown, type MenuProps } from 'antd';
import { useRef } from 'react';

interface Props extends Pick<ButtonProps, 'type' | 'size'> {
  items: NonNullable<MenuProps['items']>;
  /** what the menu is of, for screen readers */
  label: string;
}

/**
 * What can be done to a thing, behind three dots. The choice gives the focus back to the dots, where a dialog that it
 * opens returns it to; and the key that chose is not pressed once more on what opens.
 */
export function MoreMenu({ items, label, type = 'text', size }: Props) {
  const dots = useRef<HTMLButtonElement>(null);
  return (
    <Dropdown
      autoFocus
      trigger={['click']}
      placement="bottomRight"
      menu={{
        items,
        onClick: ({ domEvent }) => {
          domEvent.preventDefault();
          dots.current?.focus();
        },
      }}
    >
      <Button
        ref={dots}
        type={type}
        size={size}
        icon={<MoreOutlined aria-hidden="true" />}
        aria-label={label}
        onClick={(event) => event.stopPropagation()}
      />
    </Dropdown>
  );
}
