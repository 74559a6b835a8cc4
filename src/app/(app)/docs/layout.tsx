import type { ReactNode } from "react";
import { DocsFrame } from "@/client/screens/docs/docs-frame";
import { getReference } from "./reference";

const DocsLayout = ({ children }: { children: ReactNode }) => {
  const { groups } = getReference();
  const pages = groups.map(({ name, title }) => ({ href: `/docs/${name}`, label: title }));
  return <DocsFrame pages={pages}>{children}</DocsFrame>;
};
export default DocsLayout;
