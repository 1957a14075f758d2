import type { VNode } from "preact";
import { CHECK_DAYS } from "../../../platform/check-days.ts";
import { DAY, HOUR } from "../../../platform/clock.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { Button } from "../components/button.tsx";
import { Form } from "../components/form.tsx";
import { PATHS } from "../shell/addresses.ts";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { type Project, projectAt } from "./domain.ts";

type Sent = Pick<Project, "id" | "kind" | "createdAt" | "dripDays" | "completedAt">;

/** A move of the clock: what it is called, and the service time that it leads to. */
interface Move {
  readonly to: string;
  readonly label: string;
  readonly at: number;
}

/** The moves that are left. What is not decided at the final check is looked up again in the days after it. */
function movesOf(project: Sent, now: number): Move[] {
  if (project.kind === "check" || project.completedAt !== null) return [];
  const days = Object.values(CHECK_DAYS)
    .map((day) => ({
      to: String(day),
      label: `Advance to day ${day + project.dripDays}`,
      at: dayOver(project, day),
    }))
    .filter(({ at }) => at > now);
  return days.length > 0 ? days : [{ to: "next", label: "Advance by a day", at: now + DAY }];
}

/** When all links of a project have been looked up on that day; in service time. */
function dayOver({ createdAt, dripDays }: Sent, day: number): number {
  return createdAt + (dripDays + day) * DAY + HOUR;
}

interface SandboxClockProps {
  readonly services: WebsiteServices;
  readonly request: SignedInRequest;
  readonly project: Sent;
}

/** Buttons that move the clock of the sandbox to the days on which a project is looked up. A live service has none. */
export function SandboxClock({ services, request, project }: SandboxClockProps): VNode | null {
  const now = services.clock.service();
  const moves = movesOf(project, now);
  if (!services.advanceClock || moves.length === 0) return null;
  return (
    <section class="sandbox-clock no-print" aria-label="Sandbox clock">
      <Form request={request} action={`${PATHS.projects}/${project.id}/advance`} class="row">
        {moves.map(({ to, label }) => (
          <Button key={to} variant="quiet small" name="to" value={to}>
            {label}
          </Button>
        ))}
        <span class="soft">This moves the clock of the sandbox, for everybody, and cannot be undone.</span>
      </Form>
    </section>
  );
}

/** `POST /dashboard/projects/:id/advance`: makes the move in the field `to`; one that was made before changes nothing. */
export async function advancePost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  const project = await projectAt(services, post);
  if (!services.advanceClock) throw new Refusal("not_found", "There is no such project in a sandbox.");
  const move = movesOf(project, services.clock.service()).find(({ to }) => to === post.field("to"));
  if (move) await services.advanceClock(move.at);
  post.redirect(`${PATHS.projects}/${project.id}`);
}
