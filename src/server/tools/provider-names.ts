/**
 * Names under which providers offer tools of their own; a call of one would be theirs. A built-in tool may have
 * one of them, as its source comes first: it is left out where the provider's is offered.
 */
export const PROVIDER_TOOL_NAMES = [
  "code_execution",
  "code_interpreter",
  "computer",
  "computer_use_preview",
  "google_search",
  "web_search",
  "web_search_preview",
];
