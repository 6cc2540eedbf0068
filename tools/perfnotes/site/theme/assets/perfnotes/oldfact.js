// An old address of a fact, such as facts/#chip--rate, leads on to the page where it stands now. Without
// this script it leads to the link to that page.
"use strict";
{
  const id = decodeURIComponent(location.hash.slice(1));
  const link = id && document.getElementById(id)?.closest("li[id]")?.querySelector("a");
  if (link) {
    const target = new URL(link.href);
    target.hash = id;
    if (target.protocol === "file:" && target.pathname.endsWith("/")) target.pathname += "index.html";
    location.replace(target.href);
  }
}
