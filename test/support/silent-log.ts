import { type Log, openLog } from "../../src/observe/log.ts";

export const silentLog = (): Log => openLog({ level: "silent" });
