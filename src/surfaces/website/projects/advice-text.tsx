import type { VNode } from "preact";
import { ExternalLink } from "../components/url-text.tsx";
import type { Advice } from "./reading.ts";

const WHO = { you: "You can.", time: "Time does.", nobody: "Nobody needs to." } as const;

/** What a reason means, what usually causes it, and one thing to do. */
export function AdviceText({ advice }: { advice: Advice }): VNode {
  const { meaning, cause, nextStep, who, basis, docs } = advice;
  const words = basis === "documented" ? "Documented" : "Observed";
  return (
    <p>
      {meaning} {cause} <strong>{nextStep}</strong> {WHO[who]}{" "}
      {docs.startsWith("/") ? <a href={docs}>{words}</a> : <ExternalLink url={docs}>{words}</ExternalLink>}
    </p>
  );
}
