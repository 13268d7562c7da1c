import { tempStore } from "../support/temp-store.ts";
import { storeSuite } from "./store.suite.ts";

storeSuite("sqlite", tempStore);
