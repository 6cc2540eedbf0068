// A button that copies the text for citing the paper. The style sheet keeps room for it, so nothing
// moves when it appears.
"use strict";

for (const words of document.querySelectorAll(".pn-cite-as")) {
  words.append(pnPage.copier("pn-copy-text", words.textContent ?? ""));
}
