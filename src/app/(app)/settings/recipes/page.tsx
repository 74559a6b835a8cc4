import { OwnerPage } from "@/app/(app)/settings/owner-page";
import { RecipesScreen } from "@/client/screens/settings/recipes-screen";

const RecipesPage = () => (
  <OwnerPage>
    <RecipesScreen />
  </OwnerPage>
);
export default RecipesPage;
