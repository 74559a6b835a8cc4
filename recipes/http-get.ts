import { defineRecipe, z } from "parley/recipes";

/** Names of headers that a model may need to read. */
const SHOWN_HEADERS = ["content-type", "last-modified", "location"];

export default defineRecipe({
  name: "http_get",
  description:
    "Gets a URL of the public internet, and returns its status, some headers and the body as it is. For a readable page, use web_fetch.",
  parameters: z.object({
    url: z.url({ protocol: /^https?$/ }).describe("An http or https URL"),
    accept: z.string().max(200).optional().describe("The header Accept, such as application/json"),
  }),
  example: { url: "https://example.org/data.json", accept: "application/json" },
  // Addresses that are not public are refused by the server, also after a redirect.
  opts: { network: true, timeoutSeconds: 30 },
  steps: [
    async ({ url, accept }, { fetch }) => {
      const page = await fetch(url, accept === undefined ? {} : { headers: { accept } });
      const headers = SHOWN_HEADERS.flatMap((name) =>
        page.headers[name] === undefined ? [] : [`${name}: ${page.headers[name]}`],
      );
      const lines = [`${page.status} ${page.url}`, ...headers, "", page.text];
      if (page.isCut) lines.push("[… the rest of the body was not read …]");
      return { status: page.status < 400 ? "success" : "error", output: lines.join("\n") };
    },
  ],
});
