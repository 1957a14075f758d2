import { generateKeyPairSync, sign } from "node:crypto";

/** Makes a self-signed certificate: no key is stored in the repository, and none expires unless it is asked to. */
export function certificate(
  names: readonly string[],
  { from = "20200101000000Z", to = "21200101000000Z" } = {},
): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(oid(2, 5, 4, 3), der(0x0c, Buffer.from("Test")))));
  const alternatives = sequence(...names.map((one) => der(0x82, Buffer.from(one))));
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, Buffer.from([1])),
    ECDSA,
    name,
    sequence(time(from), time(to)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(oid(2, 5, 29, 17), der(0x04, alternatives)))),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", content, privateKey)]));
  const body = sequence(content, ECDSA, signature).toString("base64").replace(/.{64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`,
  };
}

/** Encodes a value in DER (X.690): tag, length, content. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...(length < 128 ? [length] : long)]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function set(content: Buffer): Buffer {
  return der(0x31, content);
}

function time(text: string): Buffer {
  return der(0x18, Buffer.from(text));
}

function oid(first: number, second: number, ...more: readonly number[]): Buffer {
  const bytes = more.flatMap((part) => {
    const groups = [part & 127];
    for (let left = part >> 7; left > 0; left >>= 7) groups.unshift((left & 127) | 128);
    return groups;
  });
  return der(0x06, Buffer.from([40 * first + second, ...bytes]));
}

/** ecdsa-with-SHA256 (RFC 5758 section 3.2). */
const ECDSA = sequence(oid(1, 2, 840, 10045, 4, 3, 2));
