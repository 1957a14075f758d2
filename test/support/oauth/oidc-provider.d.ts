/** The part of oidc-provider that the tests use; the package has no types. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  interface Interaction {
    readonly params: Readonly<Record<string, string>>;
    readonly prompt: { readonly name: "login" | "consent" };
    readonly session?: { readonly accountId: string };
    readonly grantId?: string;
  }

  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: (new (of: {
      accountId: string;
      clientId: string;
    }) => Grant) & {
      find(id: string): Promise<Grant | undefined>;
    };
    callback(): (req: IncomingMessage, res: ServerResponse) => void;
    interactionDetails(req: IncomingMessage, res: ServerResponse): Promise<Interaction>;
    interactionFinished(req: IncomingMessage, res: ServerResponse, result: object, how?: object): Promise<void>;
  }
}
