import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** What an authenticator that is in order says; a test changes it to what a bad one would say. */
export interface AssertionChanges {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly userHandle?: string | null;
  readonly flags?: number;
  readonly counter?: number;
  readonly challenge?: string;
  readonly crossOrigin?: boolean;
  /** The site on whose page ours stands in a frame. */
  readonly topOrigin?: string;
}

/** User present, user verified. */
const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** An authenticator in software with one ES256 credential, as WebAuthn level 3 section 6 describes it. */
export class TestPasskey {
  readonly id: string;
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  readonly #site: { readonly origin: string; readonly rpId: string };
  /** 0 stays 0, as of an authenticator without a counter; else each use adds 1. */
  counter = 0;

  constructor(origin = "https://beckon.test", rpId = new URL(origin).hostname, idBytes = 16) {
    this.#site = { origin, rpId };
    this.id = randomBytes(idBytes).toString("base64url");
  }

  /** The answer to `navigator.credentials.create` as JSON text. */
  register({ challenge }: { challenge: string }, changes: AssertionChanges = {}): string {
    const flags = changes.flags ?? PRESENT | VERIFIED;
    const credentialId = Buffer.from(this.id, "base64url");
    const length = Buffer.from([credentialId.length >> 8, credentialId.length & 0xff]);
    const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, this.#coseKey()]);
    const authData = Buffer.concat([this.#authenticatorData(flags | HAS_CREDENTIAL, changes), attested]);
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      cborText("fmt"),
      cborText("none"),
      cborText("attStmt"),
      Buffer.from([0xa0]),
      cborText("authData"),
      cborBytes(authData),
    ]);
    const clientDataJSON = this.#clientData("webauthn.create", challenge, changes).toString("base64url");
    const response = { clientDataJSON, attestationObject: attestation.toString("base64url"), transports: ["internal"] };
    return this.#credential(response);
  }

  /** The answer to `navigator.credentials.get` as JSON text. @param accountId whose handle the credential was made with */
  assert({ challenge }: { challenge: string }, accountId: string, changes: AssertionChanges = {}): string {
    if (this.counter > 0) this.counter += 1;
    const authData = this.#authenticatorData(changes.flags ?? PRESENT | VERIFIED, changes);
    const clientData = this.#clientData("webauthn.get", challenge, changes);
    const signed = Buffer.concat([authData, createHash("sha256").update(clientData).digest()]);
    const { userHandle = Buffer.from(accountId).toString("base64url") } = changes;
    return this.#credential({
      clientDataJSON: clientData.toString("base64url"),
      authenticatorData: authData.toString("base64url"),
      signature: sign("sha256", signed, this.#keys.privateKey).toString("base64url"),
      ...(userHandle === null ? {} : { userHandle }),
    });
  }

  #credential(response: object): string {
    return JSON.stringify({
      id: this.id,
      rawId: this.id,
      type: "public-key",
      clientExtensionResults: {},
      authenticatorAttachment: "platform",
      response,
    });
  }

  #clientData(type: string, challenge: string, changes: AssertionChanges): Buffer {
    const { origin = this.#site.origin, crossOrigin = false, topOrigin } = changes;
    const said = { type: changes.type ?? type, challenge: changes.challenge ?? challenge };
    return Buffer.from(JSON.stringify({ ...said, origin, crossOrigin, topOrigin }));
  }

  #authenticatorData(flags: number, { rpId = this.#site.rpId, counter = this.counter }: AssertionChanges): Buffer {
    const head = Buffer.alloc(5);
    head.writeUInt8(flags, 0);
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([createHash("sha256").update(rpId).digest(), head]);
  }

  /** The public key in COSE form (RFC 9053 section 2.1). */
  #coseKey(): Buffer {
    const { x, y } = this.#keys.publicKey.export({ format: "jwk" });
    const [bx, by] = [Buffer.from(x!, "base64url"), Buffer.from(y!, "base64url")];
    // {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
      cborBytes(bx),
      Buffer.from([0x22]),
      cborBytes(by),
    ]);
  }
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}

function cborBytes(bytes: Buffer): Buffer {
  const head = bytes.length < 256 ? [0x58, bytes.length] : [0x59, bytes.length >> 8, bytes.length & 0xff];
  return Buffer.concat([Buffer.from(head), bytes]);
}
