import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/text-field";
import type { Credentials } from "@/contract/account";
import { validateEmail } from "./account-validation";
import { PasswordField } from "./password-field";
import { useFormFields } from "@/components/ui/use-form-fields";

type LoginFormProps = {
  onSubmit: (credentials: Credentials) => void;
  isBusy: boolean;
  /** Why the last attempt failed. */
  error?: string | undefined;
};

const EMPTY: Credentials = { email: "", password: "" };

const validate = ({ email, password }: Credentials) => ({
  email: validateEmail(email),
  password: password === "" ? "Enter your password." : undefined,
});

export const LoginForm = ({ onSubmit, isBusy, error }: LoginFormProps) => {
  const { formRef, handleSubmit, textField } = useFormFields({
    initial: EMPTY,
    validate,
    isBusy,
    problem: undefined,
    onSubmit: ({ email, password }) => onSubmit({ email: email.trim(), password }),
  });
  return (
    <form ref={formRef} method="post" noValidate onSubmit={handleSubmit} className="grid gap-4">
      {error !== undefined && <Alert tone="danger" announce="alert" title={error} />}
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        autoFocus
        {...textField("email")}
      />
      <PasswordField label="Password" autoComplete="current-password" {...textField("password")} />
      <Button type="submit" variant="primary" size="lg" isBusy={isBusy}>
        Sign in
      </Button>
    </form>
  );
};
