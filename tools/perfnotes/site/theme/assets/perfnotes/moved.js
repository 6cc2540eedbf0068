// An old address leads on, with the section and the query behind it; opened as a file, to a file.
"use strict";
const target = new URL(document.currentScript.dataset.to, location);
target.search = location.search;
target.hash ||= location.hash;
if (target.protocol === "file:" && target.pathname.endsWith("/")) target.pathname += "index.html";
location.replace(target);
