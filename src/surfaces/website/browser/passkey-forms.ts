import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";

/**
 * Shows each form `data-passkey="create"` or `"get"`. Sending it asks the server for options, at the address in
 * `data-options`; then the browser asks its user, and the form is sent with the credential as JSON in the field `passkey`.
 */
export function connectPasskeyForms(): void {
  if (!browserSupportsWebAuthn()) return;
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-passkey]")) {
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void run(form);
    });
  }
  for (const note of document.querySelectorAll<HTMLElement>("[data-passkey-missing]")) note.hidden = true;
}

async function run(form: HTMLFormElement): Promise<void> {
  const message = form.querySelector<HTMLElement>("[data-passkey-message]")!;
  const button = form.querySelector("button")!;
  message.hidden = true;
  button.disabled = true;
  try {
    const credential = await credentialFor(form);
    form.querySelector<HTMLInputElement>("input[name=passkey]")!.value = JSON.stringify(credential);
    form.submit();
  } catch (thrown) {
    message.textContent = sentenceFor(thrown as Error);
    message.hidden = false;
    button.disabled = false;
  }
}

async function credentialFor(form: HTMLFormElement) {
  const fields = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]));
  const response = await fetch(form.dataset.options!, { method: "POST", body: fields });
  if (!response.ok) throw new Error(String(response.status), { cause: "server" });
  const options: unknown = await response.json();
  return form.dataset.passkey === "create"
    ? startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
    : startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON });
}

/** What went wrong. Browsers do not tell a user who cancels from one who waits too long (WebAuthn level 3 section 14.5.1). */
function sentenceFor({ name, cause, message }: Error): string {
  if (cause === "server" && message === "429") return "Too many attempts. Try again in a few minutes.";
  if (cause === "server" || name === "TypeError") return "The server did not answer as expected. Open this page again.";
  if (name === "InvalidStateError") return "This device already holds a passkey of your account.";
  if (name === "NotAllowedError" || name === "AbortError")
    return "Nothing was changed: it was cancelled, or took too long.";
  if (name === "SecurityError") return "Passkeys cannot be used at this address.";
  return "The browser could not use a passkey.";
}
