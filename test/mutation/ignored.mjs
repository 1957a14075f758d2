import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin";

/** Errors and what makes them, by the place of their sentence among the arguments. */
const SENTENCES = { Refusal: 1, FacilitatorUnreachable: 0, Error: 0, TypeError: 0, RangeError: 0, invalid: 0 };

const WORDS = "It is a sentence for people.";

/** What no test should repeat: words that people read, names that nothing depends on, and pauses that change no result. */
const ignorer = {
  /** @returns why a node and all in it is not changed, or undefined */
  shouldIgnore(path) {
    if (path.isIfStatement()) return isPause(path.node.consequent) ? "It gives other work a turn." : undefined;
    if (!path.isStringLiteral() && !path.isTemplateLiteral()) return undefined;
    const { parent, parentKey, listKey, key } = path;
    const isArgument = listKey === "arguments";
    if (isArgument && key === SENTENCES[parent.callee.name]) return WORDS;
    if (parent.type === "CallExpression" && isArgument && parent.callee.type === "Super") return WORDS;
    if (parent.type === "ObjectProperty" && parent.key.name === "description") return WORDS;
    if (parent.type === "VariableDeclarator" && parent.id.name === "message") return WORDS;
    if (parent.type === "ClassProperty" && parentKey !== "key" && parent.key.name === "name")
      return "It names an error.";
    if (isNameOfStatement(parent.type === "ConditionalExpression" ? path.parentPath : path))
      return "It names a prepared statement.";
    return undefined;
  },
};

/** `db.prepared("name", …)`, or one of two names by a condition. */
function isNameOfStatement({ parent, listKey, key }) {
  return listKey === "arguments" && key === 0 && parent.callee.property?.name === "prepared";
}

/** `await slices.next();` */
function isPause({ type, expression }) {
  const callee = type === "ExpressionStatement" && expression.type === "AwaitExpression" && expression.argument.callee;
  return Boolean(callee) && callee.object?.name === "slices" && callee.property?.name === "next";
}

export const strykerPlugins = [declareValuePlugin(PluginKind.Ignore, "ignored", ignorer)];
