// What Material's scripts expect to find before they start: where the site begins, and small
// helpers that keep settings per site in the browser's storage.
"use strict";
var __md_scope = new URL(document.currentScript.dataset.base, location);
var __md_hash = (text) => {
  let hash = 0;
  for (const char of text) hash = ((hash << 5) - hash + char.charCodeAt(0)) | 0;
  return hash;
};
var __md_get = (key, storage, scope = __md_scope) => {
  try {
    return JSON.parse((storage || localStorage).getItem(`${scope.pathname}.${key}`));
  } catch {
    return null; // storage may be switched off
  }
};
var __md_set = (key, value, storage, scope = __md_scope) => {
  try {
    (storage || localStorage).setItem(`${scope.pathname}.${key}`, JSON.stringify(value));
  } catch {
    // the setting lasts for this page only
  }
};

// Material fetches a site map beside every link whose rel is exactly "alternate", on each page.
// The language links here are complete already; a space more and they mean the same, unfetched.
for (const link of document.querySelectorAll("link[rel=alternate]")) link.rel = "alternate ";
