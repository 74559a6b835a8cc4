import ts from "typescript";
import type { Edit, Mutant } from "./mutant";
import { isSql, listSqlEdits } from "./sql-edits";

const STATUSES = ["waiting", "pending", "running", "interrupting", "requires_action", "error"];
const MASK = "$";

/** @returns the text of a literal with its expressions masked, at the same positions. */
const maskExpressions = (node: ts.TemplateExpression, source: ts.SourceFile): string => {
  const from = node.getStart(source) + 1;
  let text = source.text.slice(from, node.end - 1);
  for (const { expression, literal } of node.templateSpans) {
    const start = expression.getFullStart() - "${".length - from;
    const end = literal.getStart(source) + "}".length - from;
    text = text.slice(0, start) + MASK.repeat(end - start) + text.slice(end);
  }
  return text;
};

const readLiteral = (node: ts.Node, source: ts.SourceFile): string | undefined => {
  if (ts.isTemplateExpression(node)) return maskExpressions(node, source);
  if (!ts.isStringLiteral(node) && !ts.isNoSubstitutionTemplateLiteral(node)) return undefined;
  return source.text.slice(node.getStart(source) + 1, node.end - 1);
};

/** The SQL of a literal, except the sentences of errors. */
const listLiteralEdits = (node: ts.Node, source: ts.SourceFile): Edit[] => {
  const text = readLiteral(node, source);
  const isSentence = ts.isNewExpression(node.parent) || ts.isImportDeclaration(node.parent);
  if (text === undefined || isSentence || !isSql(text)) return [];
  const offset = node.getStart(source) + 1;
  return listSqlEdits(text).map(({ start, end, replacement }) => ({
    start: start + offset,
    end: end + offset,
    replacement,
  }));
};

/** The faults of a value that is not SQL: a boolean turned round, a member of a set left out. */
const listValueEdits = (node: ts.Node, source: ts.SourceFile): Edit[] => {
  const start = node.getStart(source);
  const { end, parent } = node;
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [{ start, end, replacement: "false" }];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [{ start, end, replacement: "true" }];
  const isMember = ts.isArrayLiteralExpression(parent) && ts.isNewExpression(parent.parent);
  return isMember && ts.isStringLiteral(node) ? [removeFromList(source, start, end)] : [];
};

const removeFromList = (source: ts.SourceFile, start: number, end: number): Edit => {
  const comma = /^\s*,/.exec(source.text.slice(end))?.[0] ?? "";
  return { start, end: end + comma.length, replacement: "" };
};

/** The faults of a cell of the table: it is missing, leads elsewhere, lacks an effect or a pause. */
const listCellEdits = (node: ts.Node, source: ts.SourceFile): Edit[] => {
  const start = node.getStart(source);
  const { end, parent } = node;
  const isCell =
    (ts.isPropertyAssignment(node) &&
      !ts.isStringLiteral(node.initializer) &&
      !ts.isArrowFunction(node.initializer)) ||
    ts.isShorthandPropertyAssignment(node) ||
    ts.isSpreadAssignment(node);
  if (isCell) return [removeFromList(source, start, end)];
  if (ts.isCallExpression(node) && node.expression.getText(source) === "paused") {
    return [{ start, end, replacement: node.arguments.map((one) => one.getText(source)).join() }];
  }
  if (!ts.isStringLiteral(node) || !ts.isCallExpression(parent)) return [];
  if (parent.arguments[0] !== node) return [removeFromList(source, start, end)];
  const other = STATUSES.find((status) => status !== node.text);
  return [{ start, end, replacement: JSON.stringify(other) }];
};

/**
 * Lists the deliberate faults of a source file: of all its SQL, and of each cell of a table.
 *
 * @param path from the repository's root.
 */
export const findMutants = (path: string, text: string): Mutant[] => {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const isTable = path.includes("/machine/table/");
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    const edits = [
      ...listLiteralEdits(node, source),
      ...listValueEdits(node, source),
      ...(isTable ? listCellEdits(node, source) : []),
    ];
    for (const edit of edits) mutants.push({ file: path, ...edit });
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return mutants;
};
