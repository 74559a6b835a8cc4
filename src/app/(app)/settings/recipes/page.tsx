import { OwnerPage } from "@/app/(app)/settings/owner-page";
import { RecipesScreen } from "./recipes-screen";

const RecipesPage = () => (
  <OwnerPage>
    <RecipesScreen />
  </OwnerPage>
);
export default RecipesPage;
