// A folder of its own for a test, or for each of its parts. What a test leaves there goes with it.
import { chmod, mkdtemp, rm } from "node:fs/promises";
