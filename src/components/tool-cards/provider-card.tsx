import { Globe, type LucideIcon, Search, SquareTerminal } from "lucide-react";
import { humanize } from "@/lib/humanize";
import { Outcome } from "./outcome";
import { type ProviderCall, readProviderCall } from "./read-provider-call";
import { TextBlock } from "./text-block";
import { ToolCard, type ToolCardProps } from "./tool-card";
import { WebLink } from "./web-link";

type Look = { icon: LucideIcon; label?: string };

const LOOKS: Record<ProviderCall["purpose"], Look> = {
  web: { icon: Search, label: "Search the web" },
  files: { icon: Search, label: "Search files" },
  code: { icon: SquareTerminal, label: "Run code" },
  other: { icon: Globe },
};

/** Shows a call that the provider of the model has run. */
export const ProviderCard = ({ part, ...rest }: ToolCardProps) => {
  const call = readProviderCall(part);
  const { icon, label = humanize(part.tool_name) } = LOOKS[call.purpose];
  return (
    <ToolCard {...rest} part={part} icon={icon} label={label} detail={call.query}>
      {call.code !== undefined && (
        <TextBlock label="Code" text={call.code} fileName={`${part.tool_name}.txt`} />
      )}
      <Result part={part} call={call} />
      <p className="text-xs text-muted">Run by the provider of the model</p>
    </ToolCard>
  );
};

type ResultProps = Pick<ToolCardProps, "part"> & { call: ProviderCall };

/** What is sealed for the provider alone is not shown. */
const Result = ({ part, call: { found, printed } }: ResultProps) => {
  if (part.is_error !== true && found) return <FoundItems found={found} />;
  if (part.is_error !== true && printed !== undefined) {
    return <TextBlock label="Output" text={printed} fileName={`${part.tool_name}-output.txt`} />;
  }
  return <Outcome part={part} />;
};

const FoundItems = ({ found }: { found: NonNullable<ProviderCall["found"]> }) =>
  found.length === 0 ? (
    <p className="text-sm text-muted">Nothing was found.</p>
  ) : (
    <ol className="flex min-w-0 flex-col gap-2">
      {found.map(({ url, title, text }, index) => (
        <li key={index} className="min-w-0">
          {url === undefined ? (
            <bdi className="wrap-anywhere">{title}</bdi>
          ) : (
            <WebLink url={url} title={title === url ? undefined : title} />
          )}
          {text !== undefined && (
            <p className="line-clamp-3 text-sm wrap-anywhere text-muted">{text}</p>
          )}
        </li>
      ))}
    </ol>
  );
