import { CopyButton } from "./copy-button";

type CodeSampleProps = {
  /** What the code is, such as “Shell script”; the name of the scrolling region. */
  label: string;
  code: string;
  copyLabel: string;
};

/** Lines of code that scroll, with a button that copies all of them. */
export const CodeSample = ({ label, code, copyLabel }: CodeSampleProps) => (
  <div className="relative min-w-0">
    <pre
      // Scrolled with the keyboard.
      tabIndex={0}
      aria-label={label}
      role="region"
      className="max-h-[70vh] overflow-auto rounded-lg border bg-surface py-3 pr-12 pl-3 font-mono text-xs"
    >
      {code}
    </pre>
    <div className="absolute top-2 right-2 rounded-sm bg-surface">
      <CopyButton label={copyLabel} text={code} />
    </div>
  </div>
);
