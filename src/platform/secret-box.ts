import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";

/** The column of a row in which a sealed text stands. A text that is copied to another one cannot be opened there. */
export interface SealedField {
  readonly table: string;
  /** The primary key of the row. */
  readonly row: string;
  readonly column: string;
}

/** A sealed text that cannot be opened. `unknown_key`: the box does not have its key. */
export class Unsealable extends Error {
  override readonly name = "Unsealable";

  readonly reason: "unknown_key" | "damaged";

  constructor(reason: Unsealable["reason"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

const VERSION = "s1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface Key {
  /** Eight hexadecimal digits that name the key without telling anything about it. */
  readonly id: string;
  readonly bytes: Buffer;
}

/**
 * Encrypts texts that the service must read again, such as the secret of an authenticator app: AES-256-GCM with a random
 * nonce (NIST SP 800-38D), and the field as associated data. A sealed text is `s1.KEY_ID.BASE64URL`, of the nonce, the
 * ciphertext and the tag.
 */
export class SecretBox {
  readonly #readKeys: () => readonly Buffer[];
  #keys: readonly Key[] | undefined;

  /** @param keys 32 bytes each, called at the first use; the first one seals, all of them open */
  constructor(keys: () => readonly Buffer[]) {
    this.#readKeys = keys;
  }

  seal(text: string, field: SealedField): string {
    const key = this.#current();
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv("aes-256-gcm", key.bytes, nonce).setAAD(associatedData(key, field));
    const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return `${VERSION}.${key.id}.${sealed.toString("base64url")}`;
  }

  /** @throws Unsealable */
  open(sealed: string, field: SealedField): string {
    const [version, id, body = "", ...rest] = sealed.split(".");
    const bytes = Buffer.from(body, "base64url");
    if (version !== VERSION || rest.length > 0 || bytes.length < NONCE_BYTES + TAG_BYTES)
      throw new Unsealable("damaged", "this is not a whole sealed text");
    const key = this.#all().find((one) => one.id === id);
    if (!key) throw new Unsealable("unknown_key", `it is sealed with the key ${id}, which SECRETS_KEY does not have`);
    const decipher = createDecipheriv("aes-256-gcm", key.bytes, bytes.subarray(0, NONCE_BYTES));
    decipher.setAAD(associatedData(key, field)).setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString("utf8");
    } catch (cause) {
      throw new Unsealable("damaged", "it was changed, or it belongs to another row", { cause });
    }
  }

  /** Whether a text is sealed with the key that seals now, and so needs no other one. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${VERSION}.${this.#current().id}.`);
  }

  #current(): Key {
    return this.#all()[0]!;
  }

  #all(): readonly Key[] {
    this.#keys ??= this.#readKeys().map((bytes) => ({ bytes, id: keyId(bytes) }));
    return this.#keys;
  }
}

function keyId(key: Buffer): string {
  return createHmac("sha256", key).update("key id").digest("hex").slice(0, 8);
}

function associatedData(key: Key, { table, row, column }: SealedField): Buffer {
  return Buffer.from(JSON.stringify([VERSION, key.id, table, row, column]));
}
