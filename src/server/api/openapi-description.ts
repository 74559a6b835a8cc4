import { MAX_BODY_BYTES } from "@/contract/limits";
import { formatCount } from "./format-count";

/** What all operations have in common, for readers of the document and of llms.txt. */
export const API_DESCRIPTION = `Programs can do over HTTP what people do on the pages.

**Requests.** Bodies and answers are JSON. A body has at most ${formatCount(MAX_BODY_BYTES)} bytes where its operation says nothing else, and is sent with \`Content-Type: application/json\`. A field that an operation does not know is refused, so that a misspelled one is noticed. Send an API key or a token as \`Authorization: Bearer …\`. \`security\` of an operation names the scope that it needs: \`chat\` includes \`read\`, and \`admin\` includes all.

**Refusals.** A request that is refused changes nothing. Its answer is a \`Problem\`: switch on \`code\`, which has ten values; \`reason\` says more exactly why, \`detail\` says it in words and what to do, \`errors\` has each wrong field, and \`request_id\` finds the request in the log of the server. All operations refuse in this order:

1. \`421\`: the server is not known by the host of the request. \`503\`: it is about to restart.
2. \`404\`: there is no such path. \`405\`: the path has other methods.
3. \`429\`: too many wrong keys came from the network. \`401\`: no valid key, token or session.
4. \`403\`: the key lacks the scope, or sees some chats only, and the operation is about the account.
5. \`400\`: the body is not sent as JSON. \`413\`: it is too large. \`400\`: it is no JSON, or a header is malformed.
6. \`422\`: the \`Idempotency-Key\` has been sent with another body.
7. \`400\`: a field is missing, unknown or wrong.
8. What the operation itself refuses, in the order in which its description has it. What does not exist and what another person has are the same \`404\`.

A \`503\` can come later, too, when the database is away. A \`500\` is a fault of the server.

**Repetition.** \`GET\`, \`PUT\`, \`PATCH\` and \`DELETE\` can be repeated. A \`POST\` is repeated with the same \`Idempotency-Key\` after an answer that was lost, a \`500\` or a \`503\`: what was done is not done twice, and a second request at the same time gets the answer of the first. Wait as \`Retry-After\` says. \`X-Should-Retry: false\` says that the same request will be refused again.

**Streams.** Events carry states, not changes, so one that comes twice does no harm. A stream can end at any time: connect again after a second, or after the \`retry_after_ms\` of its \`goodbye\`, with the \`id\` of the last event as \`Last-Event-ID\`.

**What may be added without a new version.** Operations; fields of requests that may be left out; fields of answers and of events; kinds of events and of parts of messages; values of lists in answers, such as states and \`reason\`, but not of \`code\`; headers; and media types of an answer that are asked for by \`Accept\`. Clients ignore what they do not know. Within this version no field is removed, renamed or given another meaning, and no request needs a field that it did not need.`;
