// A button that copies how to cite the paper; its room is there before it.
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
