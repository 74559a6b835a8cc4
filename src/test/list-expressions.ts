import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

export type Expression = { place: string; source: string; flags: string };

/** Lists the regular expressions of all programs below a folder, without those of tests and of generated code. */
export const listExpressions = (folder: string): Expression[] =>
  listNodes(folder).flatMap(({ file, node }) => {
    if (!ts.isRegularExpressionLiteral(node)) return [];
    const end = node.text.lastIndexOf("/");
    return { place: file, source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
  });

/** Lists where these programs make an expression of a text: the file, and the code of the text. */
export const listBuiltExpressions = (folder: string): [place: string, code: string][] =>
  listNodes(folder).flatMap(({ file, node, program }): [string, string][] => {
    if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return [];
    if (node.expression.getText(program) !== "RegExp") return [];
    return [[file, node.arguments?.[0]?.getText(program) ?? ""]];
  });

type FoundNode = { file: string; node: ts.Node; program: ts.SourceFile };

const listNodes = (folder: string): FoundNode[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.test|\.d)\.tsx?$/.test(file))
    .filter((file) => !/^(?:test|server\/db\/generated)\//.test(file))
    .toSorted()
    .flatMap((file) => listInFile(folder, file));

const listInFile = (folder: string, file: string): FoundNode[] => {
  const text = readFileSync(join(folder, file), "utf8");
  const program = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const found: FoundNode[] = [];
  const visit = (node: ts.Node): void => {
    found.push({ file, node, program });
    ts.forEachChild(node, visit);
  };
  visit(program);
  return found;
};

const ATOM =
  /\\[pP]\{[^}]*\}|\\u\{?[\da-fA-F]+\}?|\\x[\da-fA-F]{2}|\\k<\w+>|\\[^]|\[(?:\\[^]|[^\\\]])*\]|\(\?(?:<[=!]|<\w+>|[:=!])|[*+?]|\{\d+(?:,\d*)?\}\??|[()|^$]|[^]/g;

/** Splits an expression into its characters, classes, groups and quantifiers. */
export const splitAtoms = (source: string): string[] => source.match(ATOM) ?? [];

/** What a class or an escape of an expression may stand for, besides what its own text has. */
const CANDIDATES = Array.from("a0 _-.,:;/\\\"'`<>()[]{}=+*#@!?&%$|~\n\r\tAzZ9é中\u2028\0");

/** @returns the characters that stand in an atom by their numbers. */
const listNumbered = (atom: string): string[] =>
  [...atom.matchAll(/\\(?:u\{?|x)([\da-fA-F]+)/g)].map(([, number = ""]) =>
    String.fromCodePoint(Number.parseInt(number, 16)),
  );

/** @returns characters that an atom of an expression matches: what stands in it, and one that is common. */
const sampleAtom = (atom: string, flags: string): string[] => {
  if (/^(?:[*+?()|^$]|\(\?|\{\d|\\[bBk])/.test(atom)) return [];
  const matcher = new RegExp(`^(?:${atom})$`, flags.replaceAll(/[gymd]/g, ""));
  const inAtom = [...listNumbered(atom), ...Array.from(atom).filter((letter) => letter !== "\\")];
  const matches = [...inAtom, ...CANDIDATES].filter((character) => matcher.test(character));
  return [...new Set([matches[0], matches.at(-1)].filter((match) => match !== undefined))];
};

const MAX_ATOMS = 12;

/**
 * Creates what an expression may read again and again: each run of up to twelve of its atoms, as one text.
 *
 * @returns pairs of a beginning, and a unit that is repeated after it.
 */
export const listUnits = ({ source, flags }: Expression): [start: string, unit: string][] => {
  const atoms = splitAtoms(source).map((atom) => sampleAtom(atom, flags));
  const choose = (index: number, which: 0 | 1): string =>
    (which === 0 ? atoms[index]?.[0] : atoms[index]?.at(-1)) ?? "";
  const join = (from: number, to: number, which: 0 | 1): string =>
    Array.from({ length: to - from }, (_, offset) => choose(from + offset, which)).join("");
  const pairs = atoms.flatMap((_, from) =>
    Array.from({ length: MAX_ATOMS }, (__, length) =>
      Math.min(atoms.length, from + length + 1),
    ).flatMap((to) =>
      ([0, 1] as const).flatMap((which): [string, string][] => [
        ["", join(from, to, which)],
        [join(0, from, which), join(from, to, which)],
      ]),
    ),
  );
  const unique = new Map(pairs.map((pair) => [pair.join("\u0001"), pair]));
  return [...unique.values()].filter(([, unit]) => unit !== "");
};
