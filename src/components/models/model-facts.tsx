import type { DiscoveredModel } from "@/contract/model";
import { ABILITIES } from "@/contract/providers";
import { formatPrices, formatTokens } from "@/lib/format";

/** What a person chooses a model by; "" if nothing is known of it. */
export const describeModel = (model: DiscoveredModel): string => {
  const { context_limit, max_output_tokens, abilities = [], prices } = model;
  return [
    context_limit === null ? [] : `${formatTokens(context_limit)} tokens of context`,
    max_output_tokens === undefined ? [] : `answers up to ${formatTokens(max_output_tokens)}`,
    abilities.map((ability) => ABILITIES[ability]),
    prices ? formatPrices(prices) : [],
  ]
    .flat()
    .join(" · ");
};

/** Says what is known of a model, and where it is from. */
export const ModelFacts = ({ model }: { model: DiscoveredModel }) => {
  const facts = describeModel(model);
  const { source } = model;
  if (facts === "") return null;
  return (
    <p className="text-note break-words text-muted">
      {facts}.{" "}
      {source ? (
        <>
          From the table of {source.date},{" "}
          <a href={source.url} target="_blank" rel="noreferrer" className="underline">
            {new URL(source.url).hostname}
          </a>
          .
        </>
      ) : (
        "As the server says."
      )}
    </p>
  );
};
