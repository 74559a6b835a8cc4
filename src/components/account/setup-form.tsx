import type { NewOwner } from "@/contract/account";
import type { Problem } from "@/contract/problem";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/text-field";
import { validateEmail, validateName, validateNewPassword } from "./account-validation";
import { NewPasswordField } from "./new-password-field";
import { useFormFields } from "@/components/ui/use-form-fields";

type SetupFormProps = {
  onSubmit: (account: NewOwner) => void;
  isBusy: boolean;
  /** Why the last attempt failed; errors at `/name`, `/email` and `/password` appear at the fields. */
  problem?: Problem | undefined;
};

const EMPTY: NewOwner = { name: "", email: "", password: "" };

const validate = ({ name, email, password }: NewOwner) => ({
  name: validateName(name),
  email: validateEmail(email),
  password: validateNewPassword(password),
});

/** Creates the account of the owner on the first visit. */
export const SetupForm = ({ onSubmit, isBusy, problem }: SetupFormProps) => {
  const { formRef, handleSubmit, textField } = useFormFields({
    initial: EMPTY,
    validate,
    isBusy,
    problem,
    onSubmit: ({ name, email, password }) =>
      onSubmit({ name: name.trim(), email: email.trim(), password }),
  });
  return (
    <form ref={formRef} method="post" noValidate onSubmit={handleSubmit} className="grid gap-4">
      {problem !== undefined && <Alert tone="danger" announce="alert" title={problem.detail} />}
      <TextField label="Name" autoComplete="name" autoFocus {...textField("name")} />
      <TextField
        label="Email"
        hint="You sign in with it. Parley sends no email."
        type="email"
        autoComplete="username"
        {...textField("email")}
      />
      <NewPasswordField label="Password" {...textField("password")} />
      <Button type="submit" variant="primary" size="lg" isBusy={isBusy}>
        Create account
      </Button>
    </form>
  );
};
