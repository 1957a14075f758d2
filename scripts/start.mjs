// `npm start [-- options]` is `beckon serve`.
process.argv.splice(2, 0, "serve");
await import("./beckon.mjs");
