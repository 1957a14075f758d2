import { expect, test } from "vitest";
import { consent, typeCode } from "../support/oauth/consent.ts";
import { a2aExplorer } from "./a2a.ts";
import { mcpExplorer } from "./mcp.ts";
import { restExplorer } from "./rest.ts";
import { type Allow, URLS, world } from "./world.ts";

const EXPLORERS = { REST: restExplorer, MCP: mcpExplorer, A2A: a2aExplorer };

test.each(Object.entries(EXPLORERS))(
  "%s: starting from the origin alone, an agent estimates, signs in, buys, submits and reads the outcome",
  async (_, explore) => {
    const { origin, user, email, pay, sixteenDays } = await world();
    const allow: Allow = {
      email,
      async claim({ link, code }) {
        const done = await typeCode(user, await user.get(link), code);
        expect(done.status).toBe(200);
      },
      consent: (address) => consent(user, address),
    };
    const agent = await explore(origin);
    expect(await agent.estimate(URLS)).toMatchObject({ credits: 2, balance: null });
    await agent.signIn(allow);
    expect(await agent.estimate(URLS)).toMatchObject({ credits: 2, balance: 0, enough: false });
    await pay(await agent.buy());
    expect(await agent.estimate(URLS)).toMatchObject({ balance: 150, enough: true });
    const project = await agent.submit(URLS);
    await sixteenDays();
    expect(await agent.outcome(project)).toMatchObject({
      status: "completed",
      counts: { indexed: 1, not_indexed: 1 },
      credits_returned: 1,
    });
    await agent.close();
  },
);
