/** Why something failed, as an alert above the buttons of a form or dialog; nothing without a text. */
export function ErrorNote({ text }: { text: string | null | undefined }) {
  if (!text) return null;
  return (
    <p className="error-note" role="alert">
      {text}
    </p>
  );
}
