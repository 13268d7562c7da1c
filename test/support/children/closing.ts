// A process that has nothing to do but to have one file read and to close its readers.
import { tempExtract } from "../temp-extract.ts";

const extract = await tempExtract({ childUrl: new URL("./misbehaving.ts", import.meta.url) });
// How the reading goes is not asked here: only that its end is waited for.
await extract.read(process.argv[2] ?? "", "x").catch(() => {});
await extract.close();
