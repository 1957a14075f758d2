/** What a key, app or agent may have itself told of at addresses: how many subscriptions, and for how long unless it asks again. */
export const SUBSCRIPTION_TERMS = { perCredential: 100, hours: 24 } as const;
