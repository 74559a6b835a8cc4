import type { Edit } from "./mutant";

/** What ends or begins an operand of AND and OR. A text in quotes is one token, so that its words do not count. */
const TOKEN =
  /'[^']*'|[(),;]|\b(?:AND|OR|WHERE|WHEN|THEN|ELSE|CASE|END|ON|HAVING|BETWEEN|ORDER BY|GROUP BY|LIMIT|FOR|RETURNING|SELECT|FROM|SET|UNION|JOIN|LEFT|CONFLICT|DO|USING|VALUES)\b/g;
const CONDITION_LEADS = new Set(["AND", "OR", "WHERE", "WHEN", "ON", "HAVING"]);
const COMPARED = /^\s*(?:NOT )?[\w.]+ (?:=|<>|<=|>=|<|>|IS|IN) ?\S/;

/** Text between two tokens of one level of parentheses. */
type Operand = { start: number; end: number; lead: string; trail: string };

const listOperands = (text: string): Operand[] => {
  const operands: Operand[] = [];
  let level = { start: 0, lead: "start", inRange: false };
  const outer: (typeof level)[] = [];
  const close = (end: number, trail: string): void => {
    operands.push({ start: level.start, end, lead: level.lead, trail });
  };
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const start = index + token.length;
    if (token.startsWith("'")) continue;
    if (token === "(" || token === "CASE") {
      outer.push(level);
      level = { start, lead: token, inRange: false };
    } else if (token === ")" || token === "END") {
      close(index, token);
      level = outer.pop() ?? { start, lead: token, inRange: false };
    } else if (token === "BETWEEN") {
      level.inRange = true;
    } else if (token === "AND" && level.inRange) {
      level.inRange = false;
    } else {
      close(index, token);
      level = { start, lead: token, inRange: false };
    }
  }
  close(text.length, "end");
  return operands;
};

const isJoin = (token: string): boolean => token === "AND" || token === "OR";

const isCondition = ({ start, end, lead, trail }: Operand, text: string): boolean => {
  if (CONDITION_LEADS.has(lead) || isJoin(trail)) return true;
  return lead === "start" && trail === "end" && COMPARED.test(text.slice(start, end));
};

/** A condition that is left out; an alternative that never holds. */
const toConstant = ({ lead, trail }: Operand): string => {
  const isJoinedByAnd = lead === "AND" || trail === "AND";
  const isAlternative = lead === "OR" || trail === "OR" || (lead === "WHEN" && trail === "THEN");
  return isAlternative && !isJoinedByAnd ? "false" : "true";
};

const listConditionEdits = (text: string): Edit[] =>
  listOperands(text).flatMap((operand) => {
    const given = text.slice(operand.start, operand.end);
    const condition = given.trim();
    if (condition === "" || /^(?:true|false)$/.test(condition)) return [];
    if (!isCondition(operand, text)) return [];
    const start = operand.start + given.indexOf(condition);
    const end = start + condition.length;
    const without = { start, end, replacement: toConstant(operand) };
    const negation = /^NOT\s+/.exec(condition)?.[0];
    return negation
      ? [without, { start, end: start + negation.length, replacement: "" }]
      : [without];
  });

/** Replacements of what a pattern finds. `=` is missing: to leave out its condition is harder to see. */
const PATTERNS: [RegExp, string][] = [
  [/\s+SKIP LOCKED\b/g, ""],
  [/\s+FOR (?:NO KEY )?(?:UPDATE|SHARE)(?: OF \w+)?(?: SKIP LOCKED| NOWAIT)?/g, ""],
  [/(?<=\s)<=(?=\s)/g, "<"],
  [/(?<=\s)>=(?=\s)/g, ">"],
  [/(?<=\s)<(?=\s)/g, "<="],
  [/(?<=\s)>(?=\s)/g, ">="],
  [/(?<=\s)<>(?=\s)/g, "="],
  [/ DESC\b/g, ""],
  [/ [+-] (?:1\b|\$+(?!\w))/g, ""],
];

const listPatternEdits = (text: string): Edit[] =>
  PATTERNS.flatMap(([pattern, replacement]) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
      start: index,
      end: index + found.length,
      replacement,
    })),
  );

const ORDER_END = /^(?:LIMIT|FOR|RETURNING|OFFSET|UNION)\b/;

const listOrderEdits = (text: string): Edit[] =>
  [...text.matchAll(/\bORDER BY\b/g)].map(({ 0: found, index: start }) => {
    let depth = 0;
    let end = start + found.length;
    for (; end < text.length; end++) {
      const character = text[end];
      if (character === "(") depth += 1;
      if (character === ")" && depth-- === 0) break;
      if (depth === 0 && ORDER_END.test(text.slice(end))) break;
    }
    return { start, end, replacement: "" };
  });

/** Lists the deliberate faults of a piece of SQL, in which expressions of TypeScript are masked by `$`. */
export const listSqlEdits = (text: string): Edit[] => [
  ...listConditionEdits(text),
  ...listPatternEdits(text),
  ...listOrderEdits(text),
];

const SQL_WORDS =
  /\b(?:SELECT|UPDATE|INSERT|DELETE|WHERE|AND|OR|NOT|CASE|WHEN|ORDER BY|SKIP LOCKED|EXISTS|IS NULL)\b/;
const OPERATION = /^\s*[\w.$]+ (?:=|<>|<=|>=|<|>|\+|-) \S/;

export const isSql = (text: string): boolean => SQL_WORDS.test(text) || OPERATION.test(text);
