/** The library for passkeys. It is loaded when a passkey is first used: its modules take a sixth of the time of a start. */
export const webauthn = () => import("@simplewebauthn/server");
