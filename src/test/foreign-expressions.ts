import { type Expression, listExpressions } from "./list-expressions";

/** Expressions that may take longer, by their file and what they begin with, each with the reason. */
const BOUNDED: readonly (readonly [place: string, start: string, reason: string])[] = [
  ["server/documents/html-thread.ts", "<meta", "reads 1,024 bytes, in a thread"],
  ["server/env-settings/list-url-logins.ts", "[a-z]", "reads the operator's settings"],
  [
    "server/model/demo/plan-reply.ts",
    "\\bthen",
    "reads 10,000 characters, for the demo model only",
  ],
  [
    "server/model/demo/reply-texts.ts",
    "(?: (?:an?",
    "reads the few words of a title, for the demo model only",
  ],
  ["server/model/xml/is-call.ts", "^<tool\\s", "reads the first 1,000 characters of a block"],
  ["server/model/xml/tool-guide.ts", "[\\s,]+", "reads the summary of a tool, which is cut before"],
];

/** An expression that is made of a text: where, the code of the text, why it holds, and what it may be. */
type Built = { place: string; code: string; reason: string; samples: Omit<Expression, "place">[] };

/** All that are made of a text: one that is not listed here fails a test. */
export const BUILT: readonly Built[] = [
  {
    place: "components/chat/find-ranges.ts",
    code: "q.replaceAll(/[\\\\^$.*+?()[\\]{}|/]/g, String.raw`\\$&`)",
    reason: "every sign is escaped, so that it stands for itself",
    samples: [
      { source: "aab", flags: "giu" },
      { source: String.raw`\(a\+\)\+\$`, flags: "giu" },
    ],
  },
  {
    place: "contract/usable-schema.ts",
    code: "value",
    reason: "is made to see whether it can be, and reads nothing",
    samples: [],
  },
  {
    place: "server/model/demo/parse-tool-calls.ts",
    code: "`${name}(?:${ARGUMENTS})?`",
    reason: "reads 10,000 characters, for the demo model only",
    samples: [],
  },
  {
    place: "server/model/demo/phrases.ts",
    code: "`^${source}$`",
    reason: "the phrases are constants, of which these are the ones with the most parts",
    samples: [
      {
        source: String.raw`^(?:rename|move) (?:the )?(?:file )?(?<from>[\w./-]*\w) to (?<to>[\w./-]*\w)$`,
        flags: "is",
      },
      {
        source: String.raw`^(?:remind me|later) (?:in (?<amount>\d+) (?<unit>second|minute)s? to )?(?<note>.+?)$`,
        flags: "is",
      },
      {
        source: '^replace ["“](?<old>[^"”]*)["”] with ["“](?<new>[^"”]*)["”] in (?<path>.+?)$',
        flags: "is",
      },
      { source: "^run `(?<command>[^`]+)`(?<how>[^`]*)$", flags: "is" },
    ],
  },
  {
    place: "server/model/xml/block-reader.ts",
    code: '`</(${name.replaceAll(".", "\\\\.")}|tools?)\\\\s*>`',
    reason: "the name of an element has no sign but the dot that stands for another",
    samples: [{ source: String.raw`</(a\.b-c|tools?)\s*>`, flags: "g" }],
  },
];

/** Lists the expressions of `src` that have to take a time that grows with the text only. */
export const listForeignExpressions = (): Expression[] => {
  const isBounded = ({ place, source }: Expression): boolean =>
    BOUNDED.some(([file, start]) => file === place && source.startsWith(start));
  const built = BUILT.flatMap(({ place, samples }) => samples.map((each) => ({ place, ...each })));
  return [...listExpressions("src").filter((each) => !isBounded(each)), ...built];
};
