// All of the search, which start.js brings: the engine, and what the page shows of its answers.
import { deployed } from "./deployed.js";
import { create } from "./engine.js";
import { searchUi } from "./ui.js";

Object.assign(globalThis.pnSearch, { create, deployed, ui: searchUi });
