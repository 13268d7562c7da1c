import { render } from "preact";
import { Shell } from "./shell.tsx";

const root = document.getElementById("console");
if (root) render(<Shell />, root);
