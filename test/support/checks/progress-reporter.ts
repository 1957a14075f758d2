import { AgentReporter, type TestCase, type TestModule, type TestSpecification } from "vitest/node";
import { say } from "../../../scripts/setup/say.mjs";

/** How a part of the run is begun; what follows are options of vitest. */
const COMMANDS: Readonly<Record<string, string>> = {
  deep: "npm run test:deep --",
  quick: "npm run test:quick --",
  quick22: "TEST_TIER=quick22 npm test --",
};

/** At most so many commands are printed. */
const MOST = 20;

/** Says how far a run is, in a line that moves on a terminal and each half minute elsewhere; and what failed, as soon as it has and at the end. */
export default class ProgressReporter extends AgentReporter {
  #files = 0;
  #endedFiles = 0;
  #tests = 0;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #isMoving = process.stderr.isTTY === true;

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    this.#files = specifications.length;
    this.#timer = setInterval(() => this.#tell(), this.#isMoving ? 500 : 30_000);
  }

  override onTestModuleEnd(testModule: TestModule): void {
    this.#endedFiles += 1;
    this.#tests += [...testModule.children.allTests()].length;
    this.#failures += [...testModule.children.allTests("failed")].length;
    this.#clear();
    super.onTestModuleEnd(testModule);
  }

  override onTestRunEnd(...ended: Parameters<AgentReporter["onTestRunEnd"]>): void {
    clearInterval(this.#timer);
    this.#clear();
    super.onTestRunEnd(...ended);
    const commands = ended[0].filter((one) => one.state() === "failed").flatMap(commandsFor);
    if (commands.length === 0) return;
    const more = commands.length > MOST ? [`and ${commands.length - MOST} more`] : [];
    this.log(["What failed, each alone:", ...commands.slice(0, MOST), ...more, ""].join("\n"));
  }

  #tell(): void {
    const passed = Math.floor((performance.now() - this.start) / 1000);
    const time = `${Math.floor(passed / 60)}:${String(passed % 60).padStart(2, "0")}`;
    const failed = this.#failures > 0 ? `, ${this.#failures} failed` : "";
    const line = `${this.#endedFiles} of ${this.#files} files, ${this.#tests} tests${failed}, ${time}`;
    if (this.#isMoving) process.stderr.write(`\r\x1b[K${line}`);
    else say(line);
  }

  #clear(): void {
    if (this.#isMoving) process.stderr.write("\r\x1b[K");
  }
}

/** The commands that run the tests of a file that failed, one each; or the file, if it failed as a whole. */
export function commandsFor({ project, relativeModuleId: file, children }: TestModule): string[] {
  const { TEST_TIER = "", DEEP } = process.env;
  const depth = DEEP !== undefined && TEST_TIER !== "deep" ? `DEEP=${DEEP} ` : "";
  const command = `${depth}${COMMANDS[TEST_TIER] ?? "npm test --"} --project ${quoted(project.name)} ${file}`;
  const failed = [...children.allTests("failed")];
  if (failed.length === 0) return [command];
  return failed.map((test) => `${command} -t ${quoted(`^${patternOf(test)}$`)}`);
}

/** vitest compares a pattern with the names of the suites and of the test, with spaces between them. */
function patternOf(test: TestCase): string {
  const names = [test.name];
  for (let at = test.parent; at.type === "suite"; at = at.parent) names.unshift(at.name);
  return names.join(" ").replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function quoted(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
