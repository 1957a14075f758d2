import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin";

/** Words that people read, and names of statements: no test should repeat the one, and nothing depends on the other. */
const READ = { Refusal: 1, Error: 0, TypeError: 0, RangeError: 0, LeaseLost: 0 };

const ignorer = {
  /** @returns why a node is not changed, or undefined */
  shouldIgnore(path) {
    if (!path.isStringLiteral() && !path.isTemplateLiteral()) return undefined;
    const { parent, parentKey, key } = path;
    const made = parent.type === "NewExpression" && READ[parent.callee.name];
    if (typeof made === "number" && parentKey === "arguments" && key >= made) return "It is a sentence for people.";
    if (parent.type === "ObjectProperty" && parent.key.name === "description") return "It is a sentence for people.";
    if (parent.type === "CallExpression" && parent.callee.property?.name === "prepared" && key === 0)
      return "It names a prepared statement.";
    return undefined;
  },
};

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, "words", ignorer)];
