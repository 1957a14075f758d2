import { expect, test } from "vitest";
import { addressOf } from "../../../db/postgres/address.ts";

const URL_OF = "postgres://u:p%40ss@db.example/beckon";

test.each([
  ["", ""],
  ["?sslmode=require", "?sslmode=verify-full"],
  [
    "?application_name=x&sslmode=verify-ca&sslrootcert=/ca.crt",
    "?application_name=x&sslmode=verify-full&sslrootcert=/ca.crt",
  ],
  ["?sslmode=prefer", "?sslmode=verify-full"],
  ["?sslmode=verify-full", "?sslmode=verify-full"],
  // Said on purpose.
  ["?sslmode=no-verify", "?sslmode=no-verify"],
  ["?sslmode=disable", "?sslmode=disable"],
  ["?uselibpqcompat=true&sslmode=require", "?uselibpqcompat=true&sslmode=require"],
  ["?sslmode=required", "?sslmode=required"],
])("law: encryption is never weaker than requested: %j is %j", (given, taken) => {
  expect(addressOf(URL_OF + given)).toBe(URL_OF + taken);
});
