import { meterSubmissions } from "./submission-meter.ts";
import { serveWholeService } from "./whole-service.ts";

/** The service in a process of its own, which measures itself when its parent asks. */
meterSubmissions(await serveWholeService(process.argv[2]!));
