import { CopyButton } from "./copy-button";

type CodeSampleProps = {
  /** What the code is, such as “Shell script”; the name of the scrolling region. */
  label: string;
  code: string;
  copyLabel: string;
};

/** Lines of code that scroll, with a button that copies all of them. */
export const CodeSample = ({ label, code, copyLabel }: CodeSampleProps) => (
  <div className="flex min-w-0 items-start gap-1 overflow-hidden rounded-lg border bg-surface pr-2">
    <pre
      translate="no"
      // Scrolled with the keyboard.
      tabIndex={0}
      aria-label={label}
      role="region"
      className="max-h-[70vh] min-w-0 flex-1 overflow-auto rounded-lg p-3 font-mono text-xs -outline-offset-2"
    >
      {code}
    </pre>
    <div className="pt-2">
      <CopyButton label={copyLabel} text={code} />
    </div>
  </div>
);
