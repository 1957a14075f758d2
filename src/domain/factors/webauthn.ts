/** The library for passkeys. It is loaded when a passkey is first used, because its modules would make the start slower. */
export const webauthn = () => import("@simplewebauthn/server");
