import { requireUser } from "@/app/session";
import { ModelsScreen } from "./models-screen";

const ModelsPage = async () => {
  const { role } = await requireUser();
  if (role === "owner") return <ModelsScreen />;
  return (
    <p className="text-muted">
      Only the administrator of this server can see and change these settings.
    </p>
  );
};
export default ModelsPage;
