// Prints the folder of a Node.js that Beckon runs on, or nothing where the one that runs this is one. This file and what it
// imports run on Node.js 18.
import { bringNode } from "./bring-node.mjs";
import { OLDEST } from "./node-releases.mjs";
import { orExplain } from "./say.mjs";

const [major, minor] = process.versions.node.split(".").map(Number);
const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
const why = `Beckon needs Node.js ${OLDEST.join(".")} or newer, and this is ${process.versions.node}`;
if (isOld) process.stdout.write(await orExplain(bringNode(24, why)));
