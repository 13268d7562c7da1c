// A process that has one file read and then closes its readers.
import { tempExtract } from "../temp-extract.ts";

const extract = await tempExtract({ childUrl: new URL("./misbehaving.ts", import.meta.url) });
// The result does not matter here, only that closing waits for it.
await extract.read(process.argv[2] ?? "", "x").catch(() => {});
await extract.close();
