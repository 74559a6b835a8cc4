import { OverviewScreen } from "@/client/screens/docs/overview-screen";
import { getReference } from "./reference";

const DocsPage = () => {
  const { basePath, groups, schemas } = getReference();
  // The list needs neither fields nor examples, which are most of the reference.
  const listed = groups.map(({ name, title, description, operations }) => ({
    name,
    title,
    description,
    operations: operations.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
  }));
  return (
    <OverviewScreen
      basePath={basePath}
      groups={listed}
      schemaNames={schemas.map(({ name }) => name)}
    />
  );
};
export default DocsPage;
