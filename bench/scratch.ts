import { benchChecker } from "./checker.ts";

console.log(await benchChecker(10_000, 200_000, 21));
console.log(await benchChecker(1_000_000, 300_000, 5));
