// A button that copies the text for citing the paper. The style sheet keeps room for it, so nothing
// moves when it appears.
"use strict";

for (const words of document.querySelectorAll(".pn-cite-as")) {
  const { say, made } = pnPage;
  const text = words.textContent;
  const button = made("button", "pn-copy-text", say("Copy", "复制"));
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = say("Copied", "已复制");
    setTimeout(() => (button.textContent = say("Copy", "复制")), 2000);
  });
  words.append(button);
}
