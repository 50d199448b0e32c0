import { ReportPage } from '../../features/reports/visitor/report-page.tsx';

/** The page of reports with the proof of work of the sign-in page, which is loaded when a report is sent. */
export default function Report() {
  return (
    <ReportPage
      solve={async (challenge, signal) => {
        const { solveCaptcha } = await import('../../features/access/captcha/solve-captcha.ts');
        return await solveCaptcha(challenge, signal);
      }}
    />
  );
}
