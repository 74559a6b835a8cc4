import { CopyButton } from "./copy-button";

type CopyableCodeProps = {
  code: string;
  /** Accessible name of the button, such as "Copy command". */
  copyLabel: string;
};

/** A command or a key in full, with a button that copies it. */
export const CopyableCode = ({ code, copyLabel }: CopyableCodeProps) => (
  <div className="flex items-start gap-2 rounded-md border bg-bg py-1.5 pr-1.5 pl-3">
    <code
      translate="no"
      className="min-w-0 flex-1 self-center py-1 font-mono text-xs wrap-anywhere"
    >
      {code}
    </code>
    <CopyButton label={copyLabel} text={code} />
  </div>
);
