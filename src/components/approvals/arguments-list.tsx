import { clsx } from "clsx";
import { isJsonObject } from "@/contract/is-json-object";
import type { JsonValue } from "@/contract/json";
import { BreakableText } from "@/components/ui/breakable-text";
import { humanize } from "@/lib/humanize";

/** Longest value shown next to its name, in UTF-16 units; longer ones scroll below it. */
const MAX_INLINE_LENGTH = 80;

/** Shows the arguments of a tool call as a list of names and values. */
export const ArgumentsList = ({ args }: { args: JsonValue }) => {
  if (!isJsonObject(args)) {
    return args === null || args === "" ? <NoArguments /> : <Value name="Arguments" value={args} />;
  }
  const entries = Object.entries(args);
  if (entries.length === 0) return <NoArguments />;
  return (
    <dl className="grid grid-cols-[fit-content(40%)_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
      {entries.map(([name, value]) => (
        <div
          key={name}
          className={clsx("col-span-2 grid min-w-0 gap-x-4", !isLong(value) && "grid-cols-subgrid")}
        >
          <dt title={name} className="min-w-0 wrap-anywhere text-muted">
            {humanize(name)}
          </dt>
          <dd className="min-w-0">
            <Value name={humanize(name)} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
};

const NoArguments = () => <p className="text-sm text-muted">It gets no values.</p>;

const formatValue = (value: JsonValue): string => {
  if (typeof value === "string") return value;
  return JSON.stringify(value, null, typeof value === "object" ? 2 : 0);
};

const isLong = (value: JsonValue): boolean => {
  const text = formatValue(value);
  return text.length > MAX_INLINE_LENGTH || text.includes("\n");
};

const Value = ({ name, value }: { name: string; value: JsonValue }) => {
  if (value === "") return <span className="text-muted italic">empty text</span>;
  const isCode = typeof value !== "string";
  if (!isLong(value)) {
    return (
      <span
        translate="no"
        className={clsx("wrap-anywhere", isCode && "font-mono text-[0.8125rem]")}
      >
        {formatValue(value)}
      </span>
    );
  }
  return (
    <pre
      translate="no"
      // Keyboard users can only scroll what they can focus.
      tabIndex={0}
      role="group"
      aria-label={name}
      className={clsx(
        "mt-1 max-h-56 overflow-auto rounded-md wrap-anywhere whitespace-pre-wrap",
        isCode ? "border bg-raised px-3 py-2 font-mono text-xs" : "font-sans text-sm",
      )}
    >
      <BreakableText text={formatValue(value)} />
    </pre>
  );
};
