import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { KIND_NAMES, STATE_NAMES } from "../stories/state-names";
import { isBehaviorTest } from "../stories/story-titles";

const root = join(import.meta.dirname, "../stories");

/** Longer labels are sentences that say what to look at. */
const MAX_WORDS = 3;

const toText = (node: ts.Node | undefined): string | undefined =>
  node && (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) ? node.text : undefined;

const toProperties = (node: ts.Node | undefined): readonly ts.ObjectLiteralElementLike[] =>
  node && ts.isObjectLiteralExpression(node) ? node.properties : [];

/** @returns the labels of the states that one canvas shows. */
const listLabels = (node: ts.Node): string[] => {
  const states =
    ts.isCallExpression(node) && toText(node.expression) === "showStates"
      ? node.arguments[1]
      : undefined;
  const own = toProperties(states).flatMap(({ name }) => toText(name) ?? []);
  const inner: string[] = [];
  ts.forEachChild(node, (child) => void inner.push(...listLabels(child)));
  return [...own, ...inner];
};

/** `LoadError` → `Load error`. */
const toSentenceCase = (name: string): string => {
  const words = name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ").split(" ");
  return [words[0] ?? "", ...words.slice(1).map((word) => word.toLowerCase())].join(" ");
};

/** A helper that creates a story may name it. */
const toStoryName = ({ name, initializer }: ts.VariableDeclaration): string => {
  const property = toProperties(initializer).find((entry) => toText(entry.name) === "name");
  const own =
    property && ts.isPropertyAssignment(property) ? toText(property.initializer) : undefined;
  return own ?? toSentenceCase(name.getText());
};

const isExported = (statement: ts.VariableStatement): boolean =>
  statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;

const listStories = (source: ts.SourceFile): string[] =>
  source.statements
    .filter(ts.isVariableStatement)
    .filter(isExported)
    .flatMap(({ declarationList }) => declarationList.declarations.map(toStoryName))
    .filter((name) => !isBehaviorTest(name));

/** Canvases with states, of which many components have one. */
const CANVASES = ["States", "All states", "Rules"];

const toName = (label: string): string => label.replace(/[,:].*/s, "");

/** The names that each file of stories has for states. */
const namesByFile = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".stories.tsx"))
  .map((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
    const labels = [...listLabels(source), ...listStories(source)].map(toName);
    return {
      path,
      names: new Set(
        labels.filter((name) => name.split(" ").length <= MAX_WORDS && !CANVASES.includes(name)),
      ),
    };
  });

it("a name that several components have for a state is in the list", () => {
  const known = new Set([...Object.keys(STATE_NAMES), ...KIND_NAMES]);
  const all = namesByFile.flatMap(({ names }) => [...names]);
  const shared = all.filter((name, index) => all.indexOf(name) < index);
  expect([...new Set(shared)].filter((name) => !known.has(name))).toEqual([]);
});

it("no state has a second name", () => {
  const names = Object.entries(STATE_NAMES);
  const nameOf = new Map(
    names.flatMap(([name, { insteadOf = [] }]) => insteadOf.map((other) => [other, name])),
  );
  const wrong = namesByFile.flatMap(({ path, names: used }) =>
    [...used].flatMap((name) => {
      const right = nameOf.get(name);
      return right === undefined ? [] : [`${path}: ${right}, not ${name}`];
    }),
  );
  expect(wrong).toEqual([]);
});

it("each name of the list is one that stories use", () => {
  const used = new Set(namesByFile.flatMap(({ names }) => [...names]));
  const listed = [...Object.keys(STATE_NAMES), ...KIND_NAMES];
  expect(listed.filter((name) => !used.has(name))).toEqual([]);
});
