// What `perfnotes serve` answers to a page that asks for the site's service worker, which would show pages
// that it has kept. This one keeps none. It takes the place of one that another server at this address left.
"use strict";

addEventListener("install", () => self.skipWaiting());
addEventListener("activate", (event) => event.waitUntil(self.registration.unregister()));
