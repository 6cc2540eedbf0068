// Leads from an old address to the new one, keeping section and query. A page opened as a file leads
// to a file.
"use strict";
const { to = "" } = /** @type {HTMLScriptElement} */ (document.currentScript).dataset;
const target = new URL(to, location.href);
target.search = location.search;
target.hash ||= location.hash;
if (target.protocol === "file:" && target.pathname.endsWith("/")) target.pathname += "index.html";
location.replace(target.href);
