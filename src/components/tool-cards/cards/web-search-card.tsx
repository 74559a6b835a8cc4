import { Search } from "lucide-react";
import { WebSearchResult } from "@/contract/web";
import { getTextArg, parseCallArgs } from "@/components/tool-cards/call-args";
import { Outcome } from "@/components/tool-cards/outcome";
import { type OutputCardProps, ToolCard } from "@/components/tool-cards/tool-card";
import { WebLink } from "@/components/tool-cards/web-link";
import { withOutput } from "@/components/tool-cards/with-output";

/** Shows what a search has found, with links. */
export const WebSearchCard = ({ part, output, ...rest }: OutputCardProps<WebSearchResult>) => (
  <ToolCard
    {...rest}
    part={part}
    icon={Search}
    label="Search the web"
    detail={getTextArg(parseCallArgs(part), "query")}
  >
    {output ? <Results output={output} /> : <Outcome part={part} />}
  </ToolCard>
);

export default withOutput(WebSearchResult, WebSearchCard);

const PROVIDER_NAME: Record<WebSearchResult["provider"], string> = {
  tavily: "Tavily",
  brave: "Brave",
  searxng: "SearXNG",
};

const Results = ({ output: { results, provider } }: { output: WebSearchResult }) => (
  <>
    {results.length === 0 ? (
      <p className="text-sm text-muted">Nothing was found.</p>
    ) : (
      <ol className="flex min-w-0 flex-col gap-2">
        {results.map(({ title, url, snippet }, index) => (
          <li key={index} className="min-w-0">
            <WebLink url={url} title={title} />
            <p className="line-clamp-3 text-sm wrap-anywhere text-muted">{snippet}</p>
          </li>
        ))}
      </ol>
    )}
    <p className="text-xs text-muted">Found by {PROVIDER_NAME[provider]}</p>
  </>
);
