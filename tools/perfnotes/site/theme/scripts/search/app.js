// All of the search, which start.js loads: the engine, and the interface that shows its answers.
import { deployed } from "./deployed.js";
import { create } from "./engine.js";
import { searchUi } from "./ui.js";

Object.assign(globalThis.pnSearch, { create, deployed, ui: searchUi });
