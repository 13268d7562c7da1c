// A process that has nothing to do but to close its readers.
import { tempExtract } from "../temp-extract.ts";

const extract = await tempExtract({ childUrl: new URL("./misbehaving.ts", import.meta.url) });
await extract.read("outlived", "x");
await extract.close();
