import { Tooltip } from 'antd';
import type { ReactNode } from 'react';

export default Tooltip as (props: { title: string; children: ReactNode }) => ReactNode;
