import { ToolsetDeclaration } from "@/contract/toolset";
import type { Queryable } from "@/server/db/connection/database";

/** A declared toolset. */
export type ToolsetRow = {
  name: string;
  userId: string;
  /** Raised by each change. */
  revision: number;
  declaration: ToolsetDeclaration;
  /** A user's id, or `api_key:<id>`. */
  declaredBy: string;
  updatedAt: Date;
};

/** All toolsets by name. Omits those that another version has stored and this one cannot read. */
export const listToolsets = async ({ prisma }: Queryable): Promise<ToolsetRow[]> => {
  const rows = await prisma.toolset.findMany({ orderBy: { name: "asc" } });
  return rows.flatMap(toRow);
};

export const findToolset = async (
  { prisma }: Queryable,
  name: string,
): Promise<ToolsetRow | undefined> => {
  const row = await prisma.toolset.findUnique({ where: { name } });
  return row ? toRow(row)[0] : undefined;
};

export const hasToolset = async ({ prisma }: Queryable, name: string): Promise<boolean> =>
  (await prisma.toolset.count({ where: { name } })) > 0;

type Stored = Omit<ToolsetRow, "declaration"> & { declaration: unknown };

const toRow = ({ declaration, ...row }: Stored): ToolsetRow[] => {
  const { data } = ToolsetDeclaration.safeParse(declaration);
  return data ? [{ ...row, declaration: data }] : [];
};
