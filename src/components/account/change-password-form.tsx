"use client";
import { useState } from "react";
import { validateNewPassword } from "./account-validation";
import { NewPasswordField } from "./new-password-field";
import { PasswordField } from "./password-field";
import { useFormFields } from "@/components/ui/use-form-fields";
import { FailureAlert } from "@/components/ui/failure-alert";
import { Button } from "@/components/ui/button";
import type { ChangePasswordInput } from "@/contract/account";
import type { Problem } from "@/contract/problem";
import { PageSection } from "@/components/ui/page-section";

type ChangePasswordFormProps = {
  /** For password managers. */
  email: string;
  onSubmit: (passwords: ChangePasswordInput) => void;
  isBusy: boolean;
  /** Whether the last change succeeded. */
  isChanged: boolean;
  /** Why the last change failed; errors at the names of the input appear at the fields. */
  problem: Problem | undefined;
};

const EMPTY: ChangePasswordInput = { current_password: "", new_password: "" };

const validate = (passwords: ChangePasswordInput) => ({
  current_password: passwords.current_password === "" ? "Enter your current password." : undefined,
  new_password: validateNewPassword(passwords.new_password),
});

/** Changes the password, for which the current one is needed. */
export const ChangePasswordForm = (props: ChangePasswordFormProps) => {
  const { email, onSubmit, isBusy, isChanged, problem } = props;
  const { formRef, handleSubmit, values, textField, reset } = useFormFields({
    initial: EMPTY,
    validate,
    isBusy,
    problem,
    onSubmit,
  });
  const [wasChanged, setWasChanged] = useState(isChanged);
  if (wasChanged !== isChanged) {
    setWasChanged(isChanged);
    if (isChanged) reset();
  }
  const isEmpty = values.current_password === "" && values.new_password === "";
  return (
    <PageSection
      title="Password"
      lead="When you change your password, you are signed out in all other browsers."
    >
      <form
        ref={formRef}
        method="post"
        noValidate
        onSubmit={handleSubmit}
        className="grid max-w-sm gap-4"
      >
        <FailureAlert title="Your password was not changed" detail={problem?.detail} />
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          {...textField("current_password")}
        />
        <NewPasswordField label="New password" {...textField("new_password")} />
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Button type="submit" variant="primary" isBusy={isBusy}>
            Change password
          </Button>
          <p role="status" className="text-muted">
            {isChanged && isEmpty && "Changed. You are signed out in all other browsers."}
          </p>
        </div>
      </form>
    </PageSection>
  );
};
