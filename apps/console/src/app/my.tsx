import { MyPage, type MyParts } from '../features/account/my-page.tsx';

/** The page of one's own account; its parts that other rooms know meet here. */
const PARTS: MyParts = {};

export default function MyScreen() {
  return <MyPage parts={PARTS} />;
}
