// Shows the page for missing addresses again, with other addresses on it.

// Matches the attributes that hold an address, and the first slash of one that begins at the root of the host.
const FROM_ROOT = /( (?:href|src|data-base|data-root)=")\/(?!\/)/g;

// Matches an element that looks for this script in a folder above the address.
const TRIES = /<script src="(?:\.\.\/)*assets\/[^>]*><\/script>/g;

// Replaces this page, whose addresses begin at the root of the host, by one whose addresses begin at `base`. The
// page is hidden until then, because it has no style sheets. If it cannot be fetched, the reader sees it as it is.
/** @param {URL} base */
export const showAgain = async (base) => {
  const page = document.documentElement;
  page.hidden = true;
  const begin = base.href.replaceAll("&", "&amp;");
  try {
    const answer = await fetch(new URL("404.html", base));
    const text = (await answer.text()).replace(TRIES, "").replace(FROM_ROOT, (_, attribute) => attribute + begin);
    document.open();
    document.write(text);
    document.close();
  } catch {
    page.hidden = false;
  }
};
