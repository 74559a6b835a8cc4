import { Globe } from "lucide-react";
import { toHost } from "@/components/ui/safe-url";
import { WebFetchResult } from "@/contract/web";
import { getTextArg, parseCallArgs } from "@/components/tool-cards/call-args";
import { Outcome } from "@/components/tool-cards/outcome";
import { TextBlock } from "@/components/tool-cards/text-block";
import { type OutputCardProps, ToolCard } from "@/components/tool-cards/tool-card";
import { WebLink } from "@/components/tool-cards/web-link";
import { withOutput } from "@/components/tool-cards/with-output";

/** Shows a page's title, its site and its text. */
export const WebFetchCard = ({ part, output, ...rest }: OutputCardProps<WebFetchResult>) => {
  const url = output?.final_url ?? getTextArg(parseCallArgs(part), "url");
  const site = url === undefined ? undefined : toHost(url);
  const title = output?.title;
  return (
    <ToolCard
      {...rest}
      part={part}
      icon={Globe}
      label="Read from the web"
      detail={title === undefined ? site : `${title} · ${site}`}
    >
      {output === undefined ? <Outcome part={part} /> : <Page page={output} />}
    </ToolCard>
  );
};

export default withOutput(WebFetchResult, WebFetchCard);

/** Statuses from this one on are failures of HTTP. */
const FIRST_ERROR_STATUS = 400;

const Page = ({ page }: { page: WebFetchResult }) => (
  <>
    <p className="min-w-0">
      <WebLink url={page.final_url} title={page.title} />
    </p>
    {page.status >= FIRST_ERROR_STATUS && (
      <p className="text-sm text-warning">The site answered with status {page.status}.</p>
    )}
    {page.text === "" ? (
      <p className="text-sm text-muted">
        {page.content_type.startsWith("image/") ? "This is an image." : "The page has no text."}
      </p>
    ) : (
      <TextBlock label="Text" text={page.text} fileName="page.md" />
    )}
    {page.truncated && (
      <p className="text-note text-muted">This is the start of the text; more follows it.</p>
    )}
  </>
);
